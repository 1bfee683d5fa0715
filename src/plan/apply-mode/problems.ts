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

/** `message` names no object, so that a run says it once. */
export const noDryRuns = (message: string): Diagnostic => ({
  severity: 'warning',
  code: 'ineffective',
  summary: 'no dry runs: what server-side apply would do is told from the schemas alone',
  detail: `What the server adds or refuses is not known: ${message}.`,
  hint: 'A dry run needs the same rights as the write: the verb patch on these resources.',
});
