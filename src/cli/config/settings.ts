// Everything that can be configured: the one table behind the checks of the files, their JSON Schema, the values of the
// flags and `metactl config`. A test holds it against the flags of all commands.

import { dirname, isAbsolute, join, relative } from 'node:path';
import type { FieldSchema, HookOverride, ReadinessModel } from '../../app/index.ts';
import { formatDuration } from '../../kit/duration.ts';
import type { JsonValue } from '../../kit/json.ts';
import { COLOR_CHOICES } from '../color.ts';
import { listOf, parseFlagDuration, parseProgram, parseUserExtra } from '../flag-values.ts';
import { isUrl, parseHookOverride, showHookOverride, splitOverride } from '../hook-override.ts';
import { OUTPUT_FORMATS, type Output, parseOutput } from '../output.ts';
import { parseReadiness, showReadiness } from '../readiness.ts';
import { WRITE_MODES } from '../write-options.ts';

export interface Setting {
  /** In files. */
  readonly key: string;
  /** The flag of the same meaning; absent: there is none yet. */
  readonly flag?: string;
  readonly schema: FieldSchema;
  /** What the flag would have been parsed to. Throws an Error for the user. `file`: where the value stands. */
  readonly toFlag?: (value: JsonValue, file: string) => unknown;
  /** The inverse, for printing. */
  readonly show?: (value: unknown) => JsonValue;
}

const text = (description: string): FieldSchema => ({ type: 'string', description, minLength: 1 });
const texts = (description: string): FieldSchema => ({ type: 'array', description, items: text('One of them.') });
const flag = (description: string): FieldSchema => ({ type: 'boolean', description });
const count = (description: string, limits: { minimum: number; maximum?: number }): FieldSchema => ({
  type: 'integer',
  description,
  ...limits,
});

/** A path in a file is relative to that file; the program takes it relative to the working directory. */
function fromFile(path: string, file: string): string {
  if (path === '-' || isAbsolute(path)) return path;
  return relative(process.cwd(), join(dirname(file), path)) || '.';
}
const path = (value: JsonValue, file: string): string => fromFile(String(value), file);
const paths = (value: JsonValue, file: string): string[] =>
  (value as readonly string[]).map((each) => fromFile(each, file));

/** No file names here: a file that came with a repository must not say what is overwritten. */
const outputSchema: FieldSchema = {
  type: 'string',
  description: 'Format on stdout.',
  enum: OUTPUT_FORMATS,
};

export const SETTINGS: readonly Setting[] = [
  {
    key: 'files',
    flag: 'file',
    schema: texts('Definitions and inputs (`-f`): files, directories or globs, relative to this file.'),
    toFlag: paths,
  },
  {
    key: 'fromCluster',
    flag: 'from-cluster',
    schema: flag("Take the cluster's CompositeControllers, and no definitions of files."),
  },
  {
    key: 'kubeconfig',
    flag: 'kubeconfig',
    schema: text('Path of a kubeconfig, relative to this file.'),
    toFlag: path,
  },
  { key: 'context', flag: 'context', schema: text('Context of the kubeconfig.') },
  { key: 'as', flag: 'as', schema: text('User to act as.') },
  { key: 'asGroup', flag: 'as-group', schema: texts('Groups to act in.') },
  { key: 'asUid', flag: 'as-uid', schema: text('UID to act as.') },
  {
    key: 'asUserExtra',
    flag: 'as-user-extra',
    schema: texts('Extra attributes to act with, KEY=VALUE.'),
    toFlag: (value) => (value as readonly string[]).map(parseUserExtra),
    show: (value) => (value as readonly string[][]).map((pair) => pair.join('=')),
  },
  { key: 'namespace', flag: 'namespace', schema: text('Only parents in this namespace.') },
  { key: 'sandbox', flag: 'sandbox', schema: flag('Use the API server inside the process.') },
  {
    key: 'sandboxDir',
    flag: 'sandbox-dir',
    schema: text('Directory of the sandbox, relative to this file.'),
    toFlag: path,
  },
  {
    key: 'readiness',
    flag: 'readiness',
    schema: texts('When pods of the sandbox become Ready: [LABEL=VALUE:]MODEL, the first that matches a pod.'),
    toFlag: (value) => (value as readonly string[]).map(parseReadiness),
    show: (value) => listOf(value as readonly ReadinessModel[]).map(showReadiness),
  },
  {
    key: 'concurrency',
    flag: 'concurrency',
    schema: count('Requests to the API server at a time.', { minimum: 1, maximum: 256 }),
  },
  {
    key: 'maxDeletes',
    flag: 'max-deletes',
    schema: count('Deletes allowed for one parent.', { minimum: 0 }),
  },
  {
    key: 'timeout',
    flag: 'timeout',
    schema: { ...text('How long apply works and waits.'), examples: ['10m'] },
    toFlag: (value) => parseFlagDuration(String(value)),
    show: (value) => formatDuration(value as number),
  },
  {
    key: 'applyMode',
    flag: 'apply-mode',
    schema: { type: 'string', description: 'How children are written.', enum: WRITE_MODES },
  },
  { key: 'fieldManager', flag: 'field-manager', schema: text('Field manager of what is written.') },
  { key: 'wait', flag: 'wait', schema: flag('apply waits until everything is healthy.') },
  {
    key: 'output',
    flag: 'output',
    schema: outputSchema,
    toFlag: (value) => [parseOutput(String(value))],
    show: (value) => (value as readonly Output[]).map(({ format, path: to }) => (to ? `${format}=${to}` : format)),
  },
  { key: 'showUnchanged', flag: 'show-unchanged', schema: flag('Show the fields that stay as they are, too.') },
  {
    key: 'color',
    flag: 'color',
    schema: { type: 'string', description: 'Colour.', enum: COLOR_CHOICES },
  },
  { key: 'ascii', flag: 'ascii', schema: flag('ASCII only.') },
  { key: 'quiet', flag: 'quiet', schema: flag('No progress on stderr.') },
  {
    key: 'jsonnetBinary',
    flag: 'jsonnet-binary',
    schema: text('Command that evaluates jsonnet hooks: a name on PATH, or a path relative to this file.'),
    toFlag: (value, file) => parseProgram(/[\\/]/.test(String(value)) ? path(value, file) : String(value)),
  },
  {
    key: 'hookOverrides',
    flag: 'hook-override',
    schema: {
      type: 'object',
      description:
        'What is called instead of a hook: CONTROLLER/HOOK or service/NAMESPACE/NAME, to a url or to a file relative to this one.',
      additionalProperties: { type: 'string' },
    },
    toFlag: (value, file) =>
      Object.entries(value as Readonly<Record<string, string>>).map(([of, to]) =>
        parseHookOverride(`${of}=${isUrl(to) ? to : fromFile(to, file)}`),
      ),
    show: (value) =>
      Object.fromEntries(listOf(value as readonly HookOverride[]).map((each) => splitOverride(showHookOverride(each)))),
  },
  {
    key: 'allowContexts',
    flag: 'allow-context',
    schema: texts('Contexts that `watch --apply` may write to beside the local ones.'),
  },
];

/** Flags that a file must not set, and why. */
export const REFUSED: Readonly<Record<string, string>> = {
  yes: 'a confirmation is given for one run',
  forceConflicts: "whose fields are taken is decided for one run; rules are the definition's, in spec.apply.conflicts",
  applyStrategy: "it is Metacontroller's word: write applyMode",
  applyStrategySsaFieldManager: "it is Metacontroller's word: write fieldManager",
  allowEmpty: 'the guard is overridden for one run',
  target: 'a part is chosen for one run',
  controller: 'a part is chosen for one run',
  detailedExitcode: 'it belongs to the script that reads the exit code',
  profile: 'a profile is chosen for one run',
  config: 'a file can not say which file is read',
  noConfig: 'a file can not say which file is read',
  execConfig: 'whether files of this kind may run is decided outside of them',
  allowHookHost: 'which hosts are trusted is decided outside of files that come with the hooks',
  askFinalizeHooks: 'what a plan may do outside of the cluster is decided for one run',
  maskHookSecrets: 'what hooks may see is decided outside of files that come with them',
  allowLocalHooks: 'which programs are trusted is decided outside of files that come with the hooks',
};

export function flagOfKey(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function variableOf(flag: string): string {
  return `METACTL_${flag.toUpperCase().replaceAll('-', '_')}`;
}
