// A plan as text for people: what will happen in one line, then the inputs, then each parent with its changes, then what
// one might have expected to change. A function of the plan: no time, no duration.

import type { Redactor } from '../../diff/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type Change, changesOf, changesOfParent, isWrite, type ParentPlan, type Plan } from '../../model/plan.ts';
import { formatRef } from '../../model/ref.ts';
import { redactorOf } from '../redaction.ts';
import { countUnchanged, describeCounts, plural } from '../summary.ts';
import { type ChangeOptions, changeLines, quietChangeLines } from './change.ts';
import { type Line, paragraph, printLines, segment, type TextOptions } from './line.ts';

export interface PlanTextOptions extends TextOptions {
  /** Also the fields that stay as they are. */
  readonly showUnchanged?: boolean;
}

const EMPTY: Line = [];

/** The text, with a line end at its end. */
export function renderPlanText(plan: Plan, options: PlanTextOptions): string {
  const redactor = redactorOf(plan);
  const context: Context = { options, redactor, showStep: plan.parents.some(({ steps }) => steps.length > 1) };
  const parents = plan.parents.map((parent) => parentLines(parent, context));
  const groups = [
    inputLines(plan, context),
    ...parents,
    quietLines(plan, context),
    diagnosticLines(plan.diagnostics, context, 0),
  ];
  const body = groups.filter((group) => group.length > 0).flatMap((group) => [EMPTY, ...group]);
  return printLines([headLine(plan), EMPTY, ...summaryLines(plan, options), ...body], options);
}

interface Context {
  readonly options: PlanTextOptions;
  readonly redactor: Redactor;
  readonly showStep: boolean;
}

function headLine({ target, definitions, parents }: Plan): Line {
  const observed = parents.reduce((sum, parent) => sum + parent.observed, 0);
  const where = `${target.kind}${target.name === undefined ? '' : ` ${target.name}`}`;
  const version = target.serverVersion === undefined ? '' : `   Kubernetes ${target.serverVersion}`;
  const counts = [
    plural(definitions.length, 'controller'),
    plural(parents.length, 'parent'),
    plural(observed, 'child', 'children'),
  ];
  return [segment(where, 'bold'), segment(`${version}   ${counts.join(', ')}`, 'dim')];
}

function summaryLines(plan: Plan, { width }: TextOptions): Line[] {
  const changes = changesOf(plan);
  const incomplete = problemCount([...plan.diagnostics, ...plan.parents.flatMap((parent) => parent.diagnostics)]);
  const problems =
    incomplete === '' ? [] : paragraph(`Not complete: ${incomplete}.`, { indent: 6, width, style: 'red' });
  if (!changes.some((change) => isWrite(change) || change.action === 'blocked')) {
    return [...(incomplete === '' ? noChanges(plan, width) : []), ...problems];
  }
  const affected = plan.parents.filter((parent) => changesOfParent(parent).some(isWrite)).length;
  const parents =
    plan.parents.length > 1 ? [`      ${affected} of ${plural(plan.parents.length, 'parent')} affected`] : [];
  const counts = paragraph(describeCounts(plan), { indent: 6, lead: [segment('Plan: ', 'bold')], width });
  return [...counts, ...parents.map((text) => [segment(text)]), ...problems];
}

function noChanges(plan: Plan, width: number): Line[] {
  const children = countUnchanged(plan) - plan.inputsUnchanged;
  const of = `${plural(children, 'child', 'children')} of ${plural(plan.parents.length, 'parent')}`;
  const match = children === 1 ? 'matches' : 'match';
  const inputs = plan.inputsUnchanged > 0 ? ` ${plural(plan.inputsUnchanged, 'input')} unchanged.` : '';
  const outcome = plan.parents.length === 0 ? 'There is no parent.' : `${of} ${match} what the hooks return.`;
  return paragraph(`${outcome}${inputs}`, {
    indent: 0,
    lead: [segment('No changes. ', 'bold')],
    width,
  });
}

function problemCount(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return errors === 0 ? '' : plural(errors, 'error');
}

function inputLines(plan: Plan, context: Context): Line[] {
  const changes = plan.inputs.filter((change) => !isQuiet(change));
  if (changes.length === 0) return [];
  const unchanged = plan.inputsUnchanged > 0 ? `   ${plan.inputsUnchanged} unchanged` : '';
  const title: Line = [segment('Inputs', 'bold'), segment(unchanged, 'dim')];
  return [title, ...changes.flatMap((change) => changeLines(change, optionsFor(context)))];
}

function parentLines(parent: ParentPlan, context: Context): Line[] {
  const { width } = context.options;
  const changes = changesOfParent(parent).filter((change) => !isQuiet(change));
  const waiting = parent.result.waitingOn.flatMap(({ ref, reason }) =>
    paragraph(context.redactor.text(`${formatRef(ref)}: ${reason}`), {
      indent: 6,
      lead: [segment('  waiting for ', 'dim')],
      width,
    }),
  );
  const problems = diagnosticLines(parent.diagnostics, context, 2);
  if (changes.length + waiting.length + problems.length === 0) return [];
  const title: Line = [segment(formatRef(parent.parent), 'bold'), segment(`   ${parent.controller}`, 'dim')];
  const namespace = parent.parent.namespace;
  return [
    title,
    ...changes.flatMap((change) => changeLines(change, optionsFor(context, namespace))),
    ...waiting,
    ...problems,
  ];
}

/** What does nothing and is no obstacle: listed by itself, behind everything that happens. */
const isQuiet = ({ action }: Change): boolean => action === 'skip' || action === 'keep';

function quietLines(plan: Plan, context: Context): Line[] {
  const quiet = changesOf(plan).filter(isQuiet);
  if (quiet.length === 0) return [];
  const title: Line = [segment('Not changed, though you may expect it', 'bold')];
  return [title, ...quiet.flatMap((change) => quietChangeLines(change, optionsFor(context)))];
}

/** One line for each: the whole of it, with excerpt and hint, goes to stderr. */
function diagnosticLines(diagnostics: readonly Diagnostic[], { options, redactor }: Context, indent: number): Line[] {
  return diagnostics.flatMap(({ severity, code, summary }) =>
    paragraph(redactor.text(summary), {
      indent: indent + 4,
      lead: [segment(`${' '.repeat(indent)}${severity}[${code}]: `, severity === 'error' ? 'red' : 'yellow')],
      width: options.width,
    }),
  );
}

function optionsFor({ options, redactor, showStep }: Context, namespace?: string): ChangeOptions {
  const { width, ascii, showUnchanged = false } = options;
  return { width, ascii, showUnchanged, redactor, showStep, ...(namespace === undefined ? {} : { namespace }) };
}
