import { finalizeCrashes } from '../testing/finalize-crashes.ts';
import { forEachTarget } from '../testing/targets.ts';

forEachTarget('a crash at every write of a finalize, CompositeController', (target) =>
  finalizeCrashes(target, 'CompositeController'),
);
