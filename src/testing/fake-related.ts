import type { RelatedAnswer, RelatedNeed } from '../model/need.ts';
import type { RelatedReader } from '../reconcile/index.ts';

/** No related objects, whatever is asked for. */
export const nothingRelated: RelatedReader = {
  read: async ({ id, rules }: RelatedNeed): Promise<RelatedAnswer> => ({
    kind: 'related',
    id,
    ok: true,
    groups: rules.map(() => ({ objects: [] })),
  }),
  used: () => undefined,
  concernedBy: () => [],
};
