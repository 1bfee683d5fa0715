// What a DecoratorController does in its own way: attachments are known by owner and annotation, and of the object itself
// the hook may set labels, annotations and the status.

import type { DecoratorDefinition } from '../../model/definition.ts';
import { DECORATOR_WORDS } from '../answer/hook-words.ts';
import type { KindPlanner } from '../parent/session.ts';
import { attachmentsOf, desiredAttachments } from './attachments.ts';
import { consultDecorator } from './consult-decorator.ts';
import { decoratorWrites } from './parent-writes.ts';

const NOT_OURS = {
  ofParent: 'belongs to the same object, but this controller did not attach it',
  orphan: 'a decorator adopts nothing',
  hint: 'Delete or rename it, or let the hook use another name.',
};

export function decoratorPlanner(definition: DecoratorDefinition): KindPlanner {
  return {
    words: DECORATOR_WORDS,
    notOurs: NOT_OURS,
    claim: (view) => attachmentsOf(definition, view),
    consult: (session, claims) => consultDecorator(definition, session, claims),
    desired: (answered, { parent }) => ({
      children: desiredAttachments(definition, answered, parent),
      diagnostics: [],
    }),
    parentWrites: (session, heard) => decoratorWrites(definition, session, heard),
  };
}
