// The report of a shadow, for people: the numbers, a line for each controller, and every miss with its fields. What is in it
// has been masked before.

import { stringifyJson } from '../../kit/json.ts';
import { formatRef, refKey } from '../../model/ref.ts';
import { type ShadowCounts, type ShadowMiss, type ShadowReport, shadowScore } from '../../model/shadow.ts';
import { safeText } from './line.ts';

export function renderShadowText(report: ShadowReport): string {
  const { since, until, windowSeconds, controllers, found, leftOut } = report;
  const lines = [
    `Shadow: ${countsOf(report)}`,
    `From ${since} to ${until}, window ${windowSeconds} s.`,
    ...controllers.map((counts) => `  ${counts.controller}: ${countsOf(counts)}`),
    ...(leftOut > 0 ? [`Of the misses, the first ${leftOut} are left out.`] : []),
    ...found.flatMap((miss) => ['', ...linesOf(miss)]),
  ];
  return `${lines.map((line) => safeText(line, false)).join('\n')}\n`;
}

function countsOf(counts: ShadowCounts): string {
  const score = shadowScore(counts);
  const said = score === undefined ? 'nothing decided' : `${percent(score)} as predicted`;
  const { hits, misses, passing, open } = counts;
  return `${said} (${hits} hits, ${misses} misses, ${passing} passing, ${open} open)`;
}

/** Never rounded up to 100. */
const percent = (score: number): string => `${(Math.floor(score * 1_000) / 10).toFixed(1)} %`;

const WORDS: Readonly<Record<ShadowMiss['kind'], string>> = {
  'never-seen': 'predicted, and never seen',
  'not-predicted': 'seen, and not predicted',
  different: 'not as predicted',
};

function linesOf({ kind, controller, parent, object, verb, time, manager, fields, note }: ShadowMiss): string[] {
  const isParent = refKey(parent) === refKey(object);
  const of = [
    controller,
    ...(isParent ? [] : [formatRef(parent)]),
    ...(manager === undefined ? [] : [`by ${manager}`]),
  ];
  return [
    `${time} ${WORDS[kind]}: ${verb} ${formatRef(object)} (${of.join(', ')})`,
    ...fields.map(({ path, predicted, seen }) => `  ${path || 'verb'}: ${sideOf(predicted)} → ${sideOf(seen)}`),
    ...(note === undefined ? [] : [`  ${note}`]),
  ];
}

const sideOf = (value: Parameters<typeof stringifyJson>[0] | undefined): string =>
  value === undefined ? '(nothing)' : stringifyJson(value);
