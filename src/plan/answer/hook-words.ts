// What one kind of controller calls the parts of its hooks' requests and answers.

export interface HookWords {
  /** The parent, in requests of sync and finalize. */
  readonly parent: 'parent' | 'object';
  /** The children, in requests and answers. */
  readonly children: 'children' | 'attachments' | 'outputs';
  /** Where the definition lists their resources. */
  readonly declaredIn: string;
  /** Of an answer of sync or finalize. */
  readonly answer: readonly string[];
}

const SHARED = ['status', 'resyncAfterSeconds', 'finalized'] as const;

export const COMPOSITE_WORDS: HookWords = {
  parent: 'parent',
  children: 'children',
  declaredIn: 'spec.childResources',
  answer: [...SHARED, 'children'],
};

export const DECORATOR_WORDS: HookWords = {
  parent: 'object',
  children: 'attachments',
  declaredIn: 'spec.attachments',
  answer: [...SHARED, 'labels', 'annotations', 'attachments'],
};

/** Of map and tombstone: the parent's status is no hook's to say. */
export const MAP_WORDS: HookWords = {
  parent: 'parent',
  children: 'outputs',
  declaredIn: 'spec.outputResources',
  answer: ['outputs', 'resyncAfterSeconds'],
};

export const MAP_FINALIZE_WORDS: HookWords = { ...MAP_WORDS, answer: [...MAP_WORDS.answer, 'finalized'] };
