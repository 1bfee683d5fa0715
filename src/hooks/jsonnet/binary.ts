// A `jsonnet` command that the user's configuration names, in the place of the engine: a process a call. It gets on stdin a
// program of one line that calls the user's, because its options take no request of more than 128 KiB. It reads what our
// user may read: the directories that confine the engine's imports are here only the places where it looks.

import { dirname } from 'node:path';
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../kit/json.ts';
import { formatPath } from '../../kit/path.ts';
import type { ExecHook, JsonnetHook } from '../../model/definition.ts';
import { HookFailure } from '../failure.ts';
import { jsonnetErrorFacts } from './jsonnet-error.ts';

const FROM_STDIN = ['<stdin>', '(stdin)', '-'];

/** The call as a program. Of several -J the last one comes first. */
export function binaryHook(hook: JsonnetHook, binary: string): ExecHook {
  const { directory, version, timeoutMs, strict, sideEffects } = hook;
  const places = [directory, ...hook.importPaths].reverse().flatMap((place) => ['-J', place]);
  const command = [binary, ...places, '-'];
  return { kind: 'exec', version, timeoutMs, strict, sideEffects, command, mode: 'once', env: {}, directory };
}

export function programFor(hook: JsonnetHook, request: JsonValue): string {
  const call = `local hook = import ${JSON.stringify(hook.path)};`;
  return `${call} if std.isFunction(hook) then hook(request=${jsonnetText(request, [])}) else hook`;
}

export function binaryFailure(hook: JsonnetHook, stderr: string): HookFailure | undefined {
  const from = stderr.search(/^(?:RUNTIME|STATIC) ERROR: |^[^\n]+:\d+:\d+[-: ]/m);
  if (from < 0) return undefined;
  return new HookFailure(jsonnetErrorFacts(stderr.slice(from), dirname(hook.path), FROM_STDIN));
}

/** JSON is Jsonnet, but for integers that its numbers can't hold: an error, raised if the program uses them. */
function jsonnetText(value: JsonValue | undefined, path: readonly (string | number)[]): string {
  if (typeof value === 'bigint') {
    const message = `${formatPath(['request', ...path])} is ${value}: a number of Jsonnet can not hold it exactly`;
    return `(error ${JSON.stringify(message)})`;
  }
  if (isJsonArray(value)) return `[${value.map((item, index) => jsonnetText(item, [...path, index])).join(',')}]`;
  if (!isJsonObject(value)) return stringifyJson(value ?? null);
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${jsonnetText(item, [...path, key])}`).join(',')}}`;
}
