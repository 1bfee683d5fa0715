import { parseDuration } from '../../kit/duration.ts';
import type { Problem } from '../problem.ts';
import type { GivenCall, GivenHook } from '../schema/given.ts';
import { HOOK_KINDS } from '../schema/hook-schema.ts';
import type { HookRule } from './rule.ts';

export const exactlyOneHookKind: HookRule = function* (hook, path): Generator<Problem> {
  const given = HOOK_KINDS.filter((kind) => hook[kind] !== undefined);
  const name = path.at(-1);
  if (given.length === 0) {
    yield {
      code: 'missing-field',
      path,
      part: 'key',
      summary: `The hook ${name} says nowhere what to call`,
      hint: 'Add one of: webhook, exec, module, jsonnet.',
    };
  }
  if (given.length > 1) {
    yield {
      code: 'conflicting-fields',
      path: [...path, given[1] as string],
      part: 'key',
      summary: `The hook ${name} has ${given.join(' and ')}; it can have only one`,
      hint: 'Keep the one that is to be called.',
    };
  }
};

const callsOf = (hook: GivenHook): [string, GivenCall][] =>
  HOOK_KINDS.flatMap((kind): [string, GivenCall][] => (hook[kind] ? [[kind, hook[kind]]] : []));

export const timeoutIsDuration: HookRule = function* (hook, path): Generator<Problem> {
  for (const [kind, { timeout }] of callsOf(hook)) {
    if (timeout === undefined || parseDuration(timeout) !== undefined) continue;
    yield {
      code: 'invalid-value',
      path: [...path, kind, 'timeout'],
      summary: `"${timeout}" is not a duration`,
      hint: /^\d+$/.test(timeout) ? `Write the unit: "${timeout}s".` : 'Write for example "10s", "1m30s" or "500ms".',
    };
  }
};

export const timeoutIsPositive: HookRule = function* (hook, path): Generator<Problem> {
  for (const [kind, { timeout }] of callsOf(hook)) {
    if ((parseDuration(timeout ?? '1s') ?? 1) > 0) continue;
    yield {
      severity: 'warning',
      code: 'ineffective',
      path: [...path, kind, 'timeout'],
      summary: `A timeout of "${timeout}" means the default of 10s`,
      hint: 'Write the timeout that you want, or remove it.',
    };
  }
};

export const commandHasProgram: HookRule = function* ({ exec }, path): Generator<Problem> {
  const program = exec?.command?.[0];
  if (program === undefined) return;
  const at = [...path, 'exec', 'command', 0];
  if (program.trim() === '') {
    yield {
      code: 'invalid-value',
      path: at,
      summary: 'The command has no program',
      hint: 'Write for example [python3, hook.py].',
    };
  } else if (exec?.command?.length === 1 && /\s/.test(program.trim()) && !program.includes('/')) {
    const words = program.trim().split(/\s+/);
    yield {
      code: 'invalid-value',
      path: at,
      summary: `"${program}" is one word of the command: no shell splits it`,
      hint: `Write [${words.join(', ')}].`,
    };
  }
};

export const environmentNames: HookRule = function* ({ exec }, path): Generator<Problem> {
  for (const name of Object.keys(exec?.env ?? {})) {
    if (/^[^\s=\0]+$/.test(name)) continue;
    yield {
      code: 'invalid-value',
      path: [...path, 'exec', 'env', name],
      part: 'key',
      summary: `"${name}" can not be the name of an environment variable`,
      hint: 'Use letters, digits and "_".',
    };
  }
};

export const modulePathIsScript: HookRule = function* ({ module }, path): Generator<Problem> {
  if (module?.path === undefined || /\.(js|mjs|ts|mts)$/.test(module.path)) return;
  yield {
    code: 'invalid-value',
    path: [...path, 'module', 'path'],
    summary: `"${module.path}" is not a JavaScript or TypeScript file`,
    hint: 'A module ends with .js, .mjs, .ts or .mts; other languages are called by exec.',
  };
};

export const jsonnetPathIsJsonnet: HookRule = function* ({ jsonnet }, path): Generator<Problem> {
  if (jsonnet?.path === undefined || /\.(jsonnet|libsonnet)$/.test(jsonnet.path)) return;
  yield {
    code: 'invalid-value',
    path: [...path, 'jsonnet', 'path'],
    summary: `"${jsonnet.path}" is not a Jsonnet file`,
    hint: 'A Jsonnet program ends with .jsonnet or .libsonnet.',
  };
};
