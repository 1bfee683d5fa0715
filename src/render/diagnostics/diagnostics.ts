// Problems for people, as compilers show them: code and place, the line with a caret under it, why, what to do.
// Those of one file stand together in the order of its lines; everything is reported, a repeated one once.

import type { Redactor } from '../../diff/index.ts';
import type { Diagnostic, SourceRange } from '../../model/diagnostic.ts';
import { formatRef } from '../../model/ref.ts';
import { maskDiagnostic } from '../redaction.ts';
import { plural } from '../summary.ts';
import { type Line, printLines, segment } from '../text/line.ts';

export interface DiagnosticsOptions {
  readonly color: boolean;
  readonly ascii?: boolean;
  /** Takes Secret values out, where it is known which there are. */
  readonly redactor?: Redactor;
}

/** Columns of a source line that are shown; of a longer one the part around the caret. */
const EXCERPT = 100;

/** The text, with a line end at its end; "" for none. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: DiagnosticsOptions): string {
  const { redactor, color, ascii = false } = options;
  const shown = redactor ? diagnostics.map((diagnostic) => maskDiagnostic(diagnostic, redactor)) : diagnostics;
  const ordered = inOrder(shown);
  if (ordered.length === 0) return '';
  const blocks = ordered.flatMap((diagnostic, index) => [...(index > 0 ? [[]] : []), ...blockOf(diagnostic)]);
  const total = ordered.length > 1 ? [[], [segment(countOf(ordered))]] : [];
  return printLines([...blocks, ...total], { color, ascii, width: Number.POSITIVE_INFINITY });
}

function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  const seen = new Set<string>();
  for (const diagnostic of diagnostics) {
    const identity = JSON.stringify(diagnostic);
    if (seen.has(identity)) continue;
    seen.add(identity);
    const group = diagnostic.source?.file ?? '';
    groups.set(group, [...(groups.get(group) ?? []), diagnostic]);
  }
  return [...groups.values()].flatMap((group) => group.toSorted(byPlace));
}

function byPlace({ source: a }: Diagnostic, { source: b }: Diagnostic): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}

function countOf(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  return [
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ].join(', ');
}

function blockOf(diagnostic: Diagnostic): Line[] {
  const { severity, code, summary, detail, hint, source } = diagnostic;
  const style = severity === 'error' ? 'red' : 'yellow';
  const place = source ? ` ${source.file}:${source.line}:${source.column}` : '';
  const [first = '', ...rest] = summary.split('\n');
  return [
    [segment(`${severity}[${code}]`, style), segment(`${place}: `), segment(first, 'bold')],
    ...indented(rest.join('\n')),
    ...(source ? excerptOf(source, style) : []),
    ...aboutLines(diagnostic),
    ...indented(detail),
    ...(hint === undefined ? [] : hintLines(hint)),
  ];
}

function indented(text: string | undefined): Line[] {
  return text === undefined || text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => [segment(`  ${tabless(line)}`)]);
}

function hintLines(hint: string): Line[] {
  const [first = '', ...rest] = hint.trimEnd().split('\n');
  return [
    [segment('  hint: ', 'cyan'), segment(tabless(first))],
    ...rest.map((line) => [segment(`        ${tabless(line)}`)]),
  ];
}

/** The object and the place in it, unless the summary says it already. */
function aboutLines({ subject, path, summary }: Diagnostic): Line[] {
  const about = [
    ...(subject && !summary.includes(formatRef(subject)) ? [formatRef(subject)] : []),
    ...(path !== undefined && path !== '' && !summary.includes(path) ? [`at ${path}`] : []),
  ];
  return about.length === 0 ? [] : [[segment(`  ${about.join(' ')}`, 'dim')]];
}

function excerptOf({ line, column, endColumn, lineText }: SourceRange, style: 'red' | 'yellow'): Line[] {
  if (lineText === undefined) return [];
  const start = Math.max(0, Math.min(column - 1, lineText.length));
  const from = start < EXCERPT - 10 ? 0 : start - 40;
  const number = String(line).padStart(5);
  const visible = tabless(lineText.slice(from, from + EXCERPT), ' ');
  const length = Math.max(1, Math.min((endColumn ?? column + 1) - column, from + EXCERPT - start));
  const cut = { left: from > 0 ? '…' : '', right: from + EXCERPT < lineText.length ? '…' : '' };
  const caret = `${' '.repeat(start - from + cut.left.length)}${'^'.repeat(length)}`;
  return [
    [segment(`${number} | `, 'dim'), segment(`${cut.left}${visible}${cut.right}`)],
    [segment(`${' '.repeat(number.length)} | `, 'dim'), segment(caret, style)],
  ];
}

const tabless = (text: string, by = '    '): string => text.replaceAll('\t', by);
