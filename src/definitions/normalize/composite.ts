import type { JsonObject } from '../../kit/json.ts';
import type {
  ApplySettings,
  ChildRule,
  CompositeDefinition,
  LabelSelector,
  StatusConditionCheck,
} from '../../model/definition.ts';
import type { SourceRange } from '../../model/diagnostic.ts';
import { indexed } from '../rules/rule.ts';
import type { GivenApply, GivenChild, GivenComposite, GivenCondition, GivenSelector } from '../schema/given.ts';
import { type HookContext, normalizeHook } from './hook.ts';

export interface NormalizeContext {
  /** Absolute: relative paths and the working directory of commands start here. */
  readonly directory: string;
  readonly source?: SourceRange;
}

/** Fills in every default. The definition has passed the schema and the rules. */
export function normalizeComposite(object: JsonObject, context: NormalizeContext): CompositeDefinition {
  const { metadata, spec } = object as unknown as GivenComposite;
  const parent = spec?.parentResource;
  return {
    kind: 'CompositeController',
    name: metadata?.name ?? '',
    object,
    ...(context.source ? { source: context.source } : {}),
    parent: {
      apiVersion: parent?.apiVersion ?? '',
      resource: parent?.resource ?? '',
      labelSelector: normalizeSelector(parent?.labelSelector),
      ignoreStatusChanges: parent?.ignoreStatusChanges ?? false,
      revisionFieldPaths: revisionFieldPaths(indexed(parent?.revisionHistory?.fieldPaths)),
      // Where Events about cluster-scoped objects are too: a namespace that every cluster has.
      revisionNamespace: parent?.revisionHistory?.namespace ?? 'default',
    },
    children: indexed(spec?.childResources).map(([, child]) => normalizeChild(child)),
    generateSelector: spec?.generateSelector ?? false,
    resyncPeriodSeconds: spec?.resyncPeriodSeconds ?? 0,
    hooks: normalizeHooks(spec, { directory: context.directory, endpointConfigs: spec?.endpointConfigs }),
    apply: normalizeApply(spec?.apply),
  };
}

function normalizeHooks(spec: GivenComposite['spec'], context: HookContext): CompositeDefinition['hooks'] {
  const { sync = {}, finalize, customize } = spec?.hooks ?? {};
  return {
    sync: normalizeHook('sync', sync, context),
    ...(finalize ? { finalize: normalizeHook('finalize', finalize, context) } : {}),
    ...(customize ? { customize: normalizeHook('customize', customize, context) } : {}),
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

/** An empty list is as good as none. */
function revisionFieldPaths(given: readonly [number, string][]): string[] {
  return given.length > 0 ? given.map(([, path]) => path) : ['spec'];
}

function normalizeSelector(selector: GivenSelector | undefined): LabelSelector {
  return {
    matchLabels: (selector?.matchLabels ?? {}) as Readonly<Record<string, string>>,
    matchExpressions: indexed(selector?.matchExpressions).map(([, { key, operator, values }]) => ({
      key: key ?? '',
      operator: operator ?? 'Exists',
      values: indexed(values).map(([, value]) => value),
    })),
  };
}

function normalizeChild({ apiVersion, resource, updateStrategy }: GivenChild): ChildRule {
  return {
    apiVersion: apiVersion ?? '',
    resource: resource ?? '',
    updateMethod: updateStrategy?.method ?? 'OnDelete',
    statusChecks: indexed(updateStrategy?.statusChecks?.conditions).map(([, condition]) => normalizeCheck(condition)),
  };
}

function normalizeCheck({ type, status, reason }: GivenCondition): StatusConditionCheck {
  return {
    type: type ?? '',
    ...(status !== undefined ? { status } : {}),
    ...(reason !== undefined ? { reason } : {}),
  };
}
