// The flags of `metactl rbac`, and how its answer is written.

import { Flags } from '@oclif/core';
import type { RightsOptions, RightsOutcome } from '../app/index.ts';
import { stringifyJson } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import type { GroupResource } from '../model/right.ts';
import { renderDiagnostics, renderRights } from '../render/index.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { listOf } from './flag-values.ts';
import { withVariables } from './flags.ts';
import type { Session } from './session.ts';
import { shardsFlag } from './shards-flag.ts';
import { type WriteFlagValues, writeOptionsOf } from './write-options.ts';

const FORMATS = ['yaml', 'json', 'text'] as const;

/** "configmaps", "deployments.apps". */
export function parseGroupResource(text: string): GroupResource {
  const [resource = '', ...group] = text.split('.');
  if (!/^[a-z0-9-]+$/.test(resource))
    throw new Error(`"${text}" names no resource: write configmaps, or deployments.apps`);
  return { resource, group: group.join('.') };
}

export const relatedFlag = Flags.custom<GroupResource>({ parse: async (text) => parseGroupResource(text) })({
  summary: 'What customize hooks ask for, as configmaps or deployments.apps. May be repeated.',
  multiple: true,
  multipleNonGreedy: true,
  helpValue: 'RESOURCE',
});

export const rightsFlags = {
  ...withVariables({
    related: relatedFlag,
    namespace: Flags.string({ char: 'n', summary: 'Only parents in this namespace are looked at.', helpValue: 'NAME' }),
    'install-namespace': Flags.string({
      summary: 'Namespace of the daemon: its Leases are there.',
      default: 'metactl',
      helpValue: 'NAME',
    }),
    'leader-election': Flags.boolean({
      summary: 'With the rights of an election; --no-leader-election: without.',
      default: true,
      allowNo: true,
    }),
    shards: shardsFlag({ summary: 'With the rights of a daemon with --shards N.' }),
    'leader-election-id': Flags.string({ summary: 'Name of the Lease.', default: 'metacontroller', helpValue: 'NAME' }),
  }),
  // Not from variables: they would be another command's.
  for: Flags.option({ options: ['plan', 'apply', 'daemon', 'shadow'] as const, default: 'daemon' })({
    summary: 'What is to be run with these rights.',
  }),
  name: Flags.string({ summary: 'Name of the roles.', default: 'metactl', helpValue: 'NAME' }),
  'service-account': Flags.string({
    summary: 'Print bindings too, to this service account.',
    helpValue: 'NAMESPACE/NAME',
  }),
  output: Flags.option({ options: FORMATS, default: 'yaml' })({ char: 'o', summary: 'Format.' }),
};

export interface RightsFlagValues extends WriteFlagValues {
  readonly file?: readonly string[] | string | undefined;
  readonly for: RightsOptions['purpose'];
  readonly related?: readonly GroupResource[] | GroupResource | undefined;
  readonly namespace?: string | undefined;
  readonly 'install-namespace': string;
  readonly 'leader-election': boolean;
  readonly 'leader-election-id': string;
  readonly shards?: number | undefined;
  readonly name: string;
  readonly 'service-account'?: string | undefined;
}

/** Throws an Error for the user. */
export function rightsOptionsOf(flags: RightsFlagValues): RightsOptions {
  const { file, namespace, name, 'service-account': account } = flags;
  if (file === undefined) throw new Error('Missing required flag file: say -f with the definitions of the controllers');
  const names = flags['leader-election'] ? [flags['leader-election-id']] : [];
  return {
    paths: typeof file === 'string' ? file.split(',') : file,
    purpose: flags.for,
    related: listOf(flags.related),
    leases: { namespace: flags['install-namespace'], names, shared: flags.shards !== undefined },
    roles: { name, ...(account === undefined ? {} : { serviceAccount: parseServiceAccount(account) }) },
    ...(namespace === undefined ? {} : { namespace }),
    ...writeOptionsOf(flags),
  };
}

function parseServiceAccount(text: string): { readonly namespace: string; readonly name: string } {
  const [namespace, name, ...more] = text.split('/');
  if (!namespace || !name || more.length > 0)
    throw new Error(`"${text}" names no service account: write NAMESPACE/NAME`);
  return { namespace, name };
}

export async function showRights(
  { roles, rights, diagnostics }: RightsOutcome,
  format: (typeof FORMATS)[number],
  { streams, stderrLook }: Session,
): Promise<ExitCode> {
  if (diagnostics.length > 0) await streams.stderr.write(renderDiagnostics(diagnostics, { color: stderrLook.color }));
  if (roles.length === 0) return EXIT.error;
  if (format === 'text') await streams.stdout.write(renderRights(rights));
  else await streams.stdout.write(format === 'json' ? printList(roles) : await printDocuments(roles));
  return EXIT.success;
}

const printList = (items: readonly KubeObject[]): string =>
  `${stringifyJson({ apiVersion: 'v1', kind: 'List', items }, 2)}\n`;

/** Documents of YAML, as kubectl takes them. */
export async function printDocuments(objects: readonly KubeObject[]): Promise<string> {
  const { printYaml } = await import('../app/index.ts');
  return (await Promise.all(objects.map((object) => printYaml(object)))).join('---\n');
}
