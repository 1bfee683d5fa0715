import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import { formatRef, refOf } from '../../model/ref.ts';

export const wouldBeRefused = (object: KubeObject, message: string): Diagnostic => ({
  severity: 'error',
  code: 'api-error',
  summary: `${formatRef(refOf(object))}: the server would refuse it: ${message}`,
  hint: 'It was tried as a dry run; nothing was written. Change what the hook returns, or the files.',
  subject: refOf(object),
});

/** Names neither object nor resource, so that a run says it once; the fidelity of each change says more. */
export const NO_DRY_RUNS: Diagnostic = {
  severity: 'warning',
  code: 'ineffective',
  summary: 'no dry runs: what server-side apply would do is told from the schemas alone',
  detail: 'What the server would add to the objects, or refuse, is not known. The plan says of each change why.',
  hint: 'A dry run needs the same right as the write, the verb patch; webhooks have to declare sideEffects: None.',
};
