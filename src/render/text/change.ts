// One change in the text of a plan: sign, object, why, how sure, then its fields.

import { compareObjects, type Redactor } from '../../diff/index.ts';
import type { Change } from '../../model/plan.ts';
import type { Ref } from '../../model/ref.ts';
import type { Action, Reason } from '../../model/vocabulary.ts';
import { changedFields, isOwnerPath, type Leaf, leavesOf, moreFields, plainFields } from './fields.ts';
import { type Line, lineWidth, paragraph, type Style, segment } from './line.ts';

/** The sign, its form in ASCII, its colour. */
const SIGNS: Readonly<Record<Action, readonly [string, string, Style]>> = {
  create: ['+', '+', 'green'],
  update: ['~', '~', 'yellow'],
  recreate: ['±', '-+', 'magenta'],
  delete: ['-', '-', 'red'],
  adopt: ['⇄', '<>', 'cyan'],
  release: ['⇠', '<-', 'cyan'],
  status: ['~', '~', 'yellow'],
  keep: [' ', ' ', 'dim'],
  skip: [' ', ' ', 'dim'],
  blocked: ['!', '!', 'red'],
};
const UNKNOWN_SIGN = ['?', '?', 'yellow'] as const;

/** Why, in a few words; what needs none is the ordinary case. */
const WHY: Readonly<Record<Reason, string>> = {
  hook_returned: '',
  hook_dropped: 'the hook no longer returns it',
  drift: 'somebody changed it since it was applied',
  revision_change: 'a new revision of the parent',
  immutable_field: 'a field that can not be changed in place',
  on_delete: 'updateStrategy OnDelete',
  paused_by_gate: 'the rollout is paused',
  wave_not_reached: 'its wave has not come yet',
  not_owned: 'it belongs to somebody else',
  ignored_only: 'only ignored fields differ',
  conflict: 'somebody else owns fields of it',
  orphan_policy: 'left behind as the orphan policy says',
  adopt: '',
  guard: 'stopped by a guard',
  unknown_dependency: 'depends on a result that is not known yet',
};

/** Created objects show so many fields; subtrees added to existing ones too. */
const SHOWN_FIELDS = 12;

export interface ChangeOptions {
  readonly width: number;
  readonly ascii: boolean;
  readonly showUnchanged: boolean;
  readonly redactor: Redactor;
  /** Shown when the plan has more than one step. */
  readonly showStep: boolean;
  /** The parent's namespace: not repeated for its children. */
  readonly namespace?: string;
}

export function changeLines(change: Change, options: ChangeOptions): Line[] {
  return [...headLines(change, options), ...noteLines(change, options), ...fieldLines(change, options)];
}

/** A change that does nothing: one line or two, without fields unless they are asked for. */
export function quietChangeLines(change: Change, options: ChangeOptions): Line[] {
  const fields = options.showUnchanged ? fieldLines(change, options) : [];
  return [...headLines(change, options), ...noteLines(change, options), ...fields];
}

function headLines(change: Change, options: ChangeOptions): Line[] {
  const isUnknown = change.reasons.includes('unknown_dependency');
  const [sign, asciiSign, style] = isUnknown ? UNKNOWN_SIGN : SIGNS[change.action];
  const subject = options.redactor.text(subjectOf(change, options.namespace));
  const left: Line = [segment(`  ${options.ascii ? asciiSign : sign} `, style), segment(subject, 'bold')];
  const why = whyOf(change);
  const right = tagOf(change, options.showStep);
  const free = options.width - lineWidth(left) - right.length - 2;
  if (why === '' || why.length + 2 <= free) return [spread([...left, ...middle(why)], right, options.width)];
  const below = paragraph(why, { indent: 8, width: options.width, style: 'dim' });
  return [spread(left, right, options.width), ...below];
}

const middle = (why: string): Line => (why === '' ? [] : [segment('  '), segment(why, 'dim')]);

function spread(left: Line, right: string, width: number): Line {
  const gap = Math.max(2, width - lineWidth(left) - right.length);
  return right === '' ? left : [...left, segment(' '.repeat(gap)), segment(right, 'dim')];
}

function subjectOf({ object, subresource }: Change, namespace: string | undefined): string {
  const place = object.namespace === undefined || object.namespace === namespace ? '' : `${object.namespace}/`;
  return `${object.kind} ${place}${object.name}${subresource ? ` (${subresource})` : ''}`;
}

/** Reasons that a note, where there is one, says better. */
const NOTE_SAYS_MORE: readonly Reason[] = ['on_delete', 'not_owned', 'conflict', 'guard', 'unknown_dependency'];

function whyOf({ reasons, note }: Change): string {
  const told = note === undefined ? reasons : reasons.filter((reason) => !NOTE_SAYS_MORE.includes(reason));
  return told.flatMap((reason) => (WHY[reason] === '' ? [] : WHY[reason])).join('; ');
}

function tagOf(change: Change, showStep: boolean): string {
  const step = showStep ? [`step ${change.step}`] : [];
  return [...step, ...(change.verb === undefined ? [] : [change.fidelity.level])].join('  ');
}

function noteLines({ note }: Change, { width, redactor }: ChangeOptions): Line[] {
  return note === undefined ? [] : paragraph(redactor.text(note), { indent: 8, width, style: 'dim' });
}

function fieldLines(change: Change, options: ChangeOptions): Line[] {
  if (change.action === 'delete' || change.action === 'blocked') return [];
  const layout = { width: fieldWidth(options), limit: SHOWN_FIELDS };
  const fields = change.fields.map((field) => options.redactor.fieldChange(change.object, field));
  if (change.before === undefined) {
    const all = fields.flatMap(({ path, after }) => (after === undefined ? [] : leavesOf(path, after)));
    // Under its parent, a child's owner goes without saying.
    const leaves =
      change.controller === undefined || options.showUnchanged ? all : all.filter((leaf) => !isOwnerPath(leaf.path));
    return plainFields(leaves, options.showUnchanged ? { ...layout, limit: leaves.length } : layout);
  }
  if (fields.length === 0) return change.verb === undefined ? [] : [nothingOf(change)];
  return [...changedFields(fields, layout), ...unchangedLines(change, options)];
}

/** Arrows and ellipses grow when they are spelled in ASCII. */
const fieldWidth = ({ width, ascii }: ChangeOptions): number => (ascii ? width - 6 : width);

/** What is kept beside the fields: by dynamic apply in an annotation, by server-side apply in managedFields. */
function nothingOf({ intent }: Change): Line {
  const isOwnership = intent?.kind === 'apply' || intent?.kind === 'migrate';
  const what = isOwnership ? 'whose the fields are' : 'the record of what was applied';
  return [segment(`        (only ${what} changes)`, 'dim')];
}

/** Stands in the head line already. */
const IDENTITY: readonly string[] = ['apiVersion', 'kind', 'metadata.name', 'metadata.namespace'];

function unchangedLines(change: Change, options: ChangeOptions): Line[] {
  const { before, after, object } = change;
  if (!before || !after) return [];
  const all = compareObjects(before, after).same.flatMap(({ path, value }) => leavesOf(path, value));
  const same = all.filter(({ path }) => !IDENTITY.includes(path.join('.')));
  if (!options.showUnchanged) return moreFields(same.length, 'unchanged', ' hidden');
  const shown = same.map(({ path, value }) => maskLeaf({ path, value }, object, options.redactor));
  return plainFields(shown, { width: fieldWidth(options), limit: shown.length }, 'dim');
}

function maskLeaf({ path, value }: Leaf, ref: Ref, redactor: Redactor): Leaf {
  const masked = redactor.fieldChange(ref, { path, op: 'add', after: value });
  return { path: masked.path, value: masked.after ?? value };
}
