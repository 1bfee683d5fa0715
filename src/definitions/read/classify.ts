// Which objects are controller definitions, and which only look like one.

import { nearest } from '../../kit/suggest.ts';
import { splitApiVersion } from '../../model/resource.ts';
import type { Problem } from '../problem.ts';
import { DEFINITION_SCHEMAS } from '../schema/definition-schema.ts';
import { API_VERSION } from '../schema/shared-fields.ts';
import type { FoundObject } from './found-object.ts';

const GROUP = splitApiVersion(API_VERSION).group;
const OWN_GROUP = 'metactl.dev';
const CONTROLLER_KINDS = Object.keys(DEFINITION_SCHEMAS);

/** A problem is an object that was meant as a definition and is none. */
export function classify({ apiVersion, kind }: FoundObject['object']): 'definition' | 'input' | Problem {
  const { group } = splitApiVersion(apiVersion);
  if (group === OWN_GROUP) return unsupported(`${kind} of ${apiVersion}`);
  if (group === GROUP) return classifyOwn(apiVersion, kind);
  const looksLikeGroup = nearest(group, [GROUP]) !== undefined || group.includes('metacontroller');
  if (!CONTROLLER_KINDS.includes(kind) || !looksLikeGroup) return 'input';
  return {
    code: 'invalid-value',
    path: ['apiVersion'],
    summary: `${kind} is not a kind of "${apiVersion}"`,
    hint: `Write "${API_VERSION}".`,
  };
}

function classifyOwn(apiVersion: string, kind: string): 'definition' | 'input' | Problem {
  // Records of rolling updates, kept by Metacontroller.
  if (kind === 'ControllerRevision') return 'input';
  if (!CONTROLLER_KINDS.includes(kind)) {
    const similar = nearest(kind, CONTROLLER_KINDS);
    return {
      code: 'invalid-value',
      path: ['kind'],
      summary: `"${kind}" is not a kind of ${GROUP}`,
      hint: similar ? `Did you mean "${similar}"?` : `Kinds: ${CONTROLLER_KINDS.join(', ')}.`,
    };
  }
  if (apiVersion !== API_VERSION) {
    const hint = `Write "${API_VERSION}".`;
    return {
      code: 'invalid-value',
      path: ['apiVersion'],
      summary: `${GROUP} has no version like "${apiVersion}"`,
      hint,
    };
  }
  return 'definition';
}

function unsupported(what: string): Problem {
  return {
    code: 'unsupported',
    path: ['kind'],
    summary: `This version of metactl does not support ${what}`,
    hint: 'Remove it, or use a version that has it.',
  };
}
