// --readiness: [LABEL=VALUE,…:]MODEL, and back.

import type { ReadinessModel } from '../app/index.ts';
import { formatDuration, parseDuration } from '../kit/duration.ts';

const FORM =
  'write [LABEL=VALUE[,LABEL=VALUE]:]MODEL, where MODEL is ready-after=5s, never, fail=REASON or flap=10s,5s';

/** Throws an Error for the user. */
export function parseReadiness(text: string): ReadinessModel {
  const at = text.lastIndexOf(':');
  const selected = at < 0 ? {} : { selector: { matchLabels: labelsOf(text, text.slice(0, at)) } };
  const [kind = '', value = ''] = split(text.slice(at + 1));
  if (kind === 'never' && value === '') return { ...selected, kind };
  if (kind === 'ready-after') return { ...selected, kind, seconds: secondsOf(text, value) };
  if (kind === 'fail' && /^[A-Za-z]+$/.test(value)) return { ...selected, kind, reason: value };
  const [up = '', down = '', ...more] = value.split(',');
  if (kind === 'flap' && more.length === 0)
    return { ...selected, kind, upSeconds: secondsOf(text, up), downSeconds: secondsOf(text, down) };
  throw wrong(text);
}

export function showReadiness(model: ReadinessModel): string {
  const labels = Object.entries(model.selector?.matchLabels ?? {}).map((pair) => pair.join('='));
  return `${labels.length === 0 ? '' : `${labels.join()}:`}${model.kind}${showDetail(model)}`;
}

function showDetail(model: ReadinessModel): string {
  const time = (seconds: number): string => formatDuration(seconds * 1_000);
  if (model.kind === 'ready-after') return `=${time(model.seconds)}`;
  if (model.kind === 'fail') return `=${model.reason}`;
  return model.kind === 'flap' ? `=${time(model.upSeconds)},${time(model.downSeconds)}` : '';
}

function labelsOf(text: string, selector: string): Record<string, string> {
  const pairs = selector.split(',').map(split);
  if (pairs.some(([key, value]) => key === '' || value === undefined)) throw wrong(text);
  return Object.fromEntries(pairs.map(([key, value = '']) => [key.trim(), value.trim()]));
}

function split(text: string): [key: string, value: string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function secondsOf(text: string, duration: string): number {
  const ms = parseDuration(duration);
  if (ms === undefined || ms < 0) throw wrong(text);
  return ms / 1_000;
}

const wrong = (text: string): Error => new Error(`"${text}" does not say when pods become Ready: ${FORM}`);
