// What the use cases take and give, in their own words: no flags, no oclif, no streams.

import type { InputObject } from '../definitions/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { ApplyModeName, HookName } from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan, WaitingOn } from '../model/plan.ts';
import type { AppliedChange, Progress } from '../model/progress.ts';
import type { Files } from '../ports/files.ts';
import type { ReadinessModel } from '../sandbox/index.ts';

export type { ReadinessModel };

/** What the process gives a use case; tests give their own. */
export interface AppEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly files: Files;
  /** Aborted on SIGINT and SIGTERM: no write starts after that; the one in flight is finished. */
  readonly signal: AbortSignal;
  /** Takes a line that a hook printed, without Secret values. Default: our stderr. */
  readonly onHookOutput?: (line: string) => void;
}

/** Which cluster: docs/reference/commands.md. Nothing set: KUBECONFIG, ~/.kube/config, in-cluster, else the sandbox. */
export interface ClusterChoice {
  readonly sandbox?: boolean;
  readonly sandboxDirectory?: string;
  /** Of the sandbox: when pods become Ready. The first that matches a pod is its own; none: after a second. */
  readonly readiness?: readonly ReadinessModel[];
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Longest wait for an answer of the API server. Default: as in src/cluster. */
  readonly requestTimeoutMs?: number;
  /** Whom to act as on a cluster; each field stands for that of the kubeconfig. */
  readonly impersonation?: Impersonation;
}

export interface Impersonation {
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** One parent, as `--target KIND/NAMESPACE/NAME` or `KIND/NAME`. */
export interface ParentTarget {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface HookOverride {
  /** One hook of a controller, or all that are this Service. */
  readonly of:
    | { readonly kind: 'hook'; readonly controller: string; readonly hook: HookName }
    | { readonly kind: 'service'; readonly namespace: string; readonly name: string };
  /** A url; or the absolute path of a module, a Jsonnet program, or any other program. */
  readonly to: { readonly kind: 'url'; readonly url: string } | { readonly kind: 'file'; readonly path: string };
}

export interface PlanOptions {
  readonly cluster: ClusterChoice;
  /** Files, directories, globs, "-". May be none with fromCluster. */
  readonly paths: readonly string[];
  /** Inputs beside those of the files. */
  readonly objects?: readonly InputObject[];
  /** The CompositeControllers of the cluster instead of the definitions in the files. */
  readonly fromCluster?: boolean;
  /** Names; absent: all controllers. */
  readonly controllers?: readonly string[];
  readonly namespace?: string;
  readonly targets?: readonly ParentTarget[];
  /** Deletes allowed for one parent whatever the share; absent: the default guard. */
  readonly maxDeletes?: number;
  /** Allow a hook to go from more than one child to none. */
  readonly allowEmpty?: boolean;
  /**
   * exec, module and jsonnet hooks may run all the same, and are shown Secret values: on a fork's pull request, and where
   * the definition comes from the cluster.
   */
  readonly allowLocalHooks?: boolean;
  /** On a fork's pull request: the hosts (or host:port) that webhooks may be called on. Never from a file. */
  readonly allowHookHosts?: readonly string[];
  /** Hooks see placeholders instead of Secret values; what they make of these is unknown and is not written. */
  readonly maskHookSecrets?: boolean;
  /** A plan asks finalize hooks too, whatever they say of their side effects. */
  readonly askFinalize?: boolean;
  /** Called instead of what definitions name. Never from a file that a stranger may have written. */
  readonly hookOverrides?: readonly HookOverride[];
  /** How long a hook that is busy (429, 503) is asked again while a plan is made. Absent: as long as its timeout. */
  readonly hookPatienceMs?: number;
  /** Evaluates jsonnet hooks instead of the engine: a name on PATH or an absolute path. */
  readonly jsonnetBinary?: string;
  /** How children are written, where the definition does not say. */
  readonly applyMode?: ApplyModeName;
  readonly fieldManager?: string;
  /** Server-side apply takes every field that is wanted, whatever the rules say. */
  readonly forceConflicts?: boolean;
  /** Requests to the API server in flight. */
  readonly concurrency: number;
  readonly onProgress?: (progress: Progress) => void;
}

export interface PlanOutcome {
  /** Absent when no plan could be made; a plan beside errors is partial and may be shown, not applied. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ApplyOptions extends PlanOptions {
  /** Asked once, with the first plan, when it holds a write or waits for something. */
  readonly confirm: (plan: Plan) => Promise<'yes' | 'no' | 'impossible'>;
  /** Milliseconds until "not settled". */
  readonly timeoutMs: number;
  /** False: return after the writes, without waiting for health. */
  readonly wait: boolean;
}

export interface UninstallOptions
  extends Pick<ApplyOptions, 'cluster' | 'namespace' | 'confirm' | 'concurrency' | 'onProgress'> {
  /** Files with the definitions of the controllers. None: those of these names, in the cluster. */
  readonly paths: readonly string[];
  /** None: all that the files hold. */
  readonly names: readonly string[];
}

export interface ApplyOutcome {
  /**
   * settled: nothing left to do, everything healthy. unsettled: the time ran out. nothing: the first plan was empty
   * and settled. declined / unconfirmed: nothing was written. guarded: a guard stopped it. failed: an error.
   * interrupted: by a signal, `applied` says how far.
   */
  readonly status:
    | 'settled'
    | 'unsettled'
    | 'nothing'
    | 'declined'
    | 'unconfirmed'
    | 'guarded'
    | 'failed'
    | 'interrupted';
  /** The first plan: what was confirmed. */
  readonly plan?: Plan;
  /** In the order in which they ended. */
  readonly applied: readonly AppliedChange[];
  readonly waitingOn: readonly WaitingOn[];
  readonly diagnostics: readonly Diagnostic[];
}
