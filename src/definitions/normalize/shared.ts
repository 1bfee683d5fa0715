// What definitions of every kind have in common, with every default filled in.

import type { JsonObject } from '../../kit/json.ts';
import type { ApplySettings, Hook, HookName, LabelSelector, ParentRule } from '../../model/definition.ts';
import type { SourceRange } from '../../model/diagnostic.ts';
import { indexed } from '../rules/rule.ts';
import type { GivenApply, GivenDefinition, GivenParent, GivenSelector } from '../schema/given.ts';
import { normalizeHook } from './hook.ts';

export interface NormalizeContext {
  /** Absolute: relative paths and the working directory of commands start here. */
  readonly directory: string;
  readonly source?: SourceRange;
}

export function normalizeBase(object: JsonObject, { source }: NormalizeContext) {
  const { metadata, spec } = object as unknown as GivenDefinition;
  return {
    name: metadata?.name ?? '',
    object,
    ...(source ? { source } : {}),
    resyncPeriodSeconds: spec?.resyncPeriodSeconds ?? 0,
    apply: normalizeApply(spec?.apply),
  };
}

/** The hooks of these names that there are. */
export function normalizeHooks<N extends HookName>(
  names: readonly N[],
  spec: GivenDefinition['spec'],
  { directory }: NormalizeContext,
): { readonly [name in N]?: Hook } {
  const context = { directory, endpointConfigs: spec?.endpointConfigs };
  const hooks: { [name in N]?: Hook } = {};
  for (const name of names) {
    const given = spec?.hooks?.[name];
    if (given) hooks[name] = normalizeHook(name, given, context);
  }
  return hooks;
}

export function normalizeParent(parent: GivenParent | undefined): ParentRule {
  return {
    apiVersion: parent?.apiVersion ?? '',
    resource: parent?.resource ?? '',
    labelSelector: normalizeSelector(parent?.labelSelector),
    ignoreStatusChanges: parent?.ignoreStatusChanges ?? false,
  };
}

function normalizeApply(apply: GivenApply | undefined): ApplySettings {
  return {
    mode: apply?.mode ?? 'dynamic',
    fieldManager: apply?.fieldManager ?? 'metactl',
    conflicts: indexed(apply?.conflicts).map(([, { path, manager, action }]) => ({
      path: (path ?? '').replace(/^\./, ''),
      ...(manager === undefined ? {} : { manager }),
      action: action ?? 'fail',
    })),
    force: false,
  };
}

export function normalizeSelector(selector: GivenSelector | undefined): LabelSelector {
  return {
    matchLabels: (selector?.matchLabels ?? {}) as Readonly<Record<string, string>>,
    matchExpressions: indexed(selector?.matchExpressions).map(([, { key, operator, values }]) => ({
      key: key ?? '',
      operator: operator ?? 'Exists',
      values: indexed(values).map(([, value]) => value),
    })),
  };
}
