// Implements the port: picks the runner, holds back what is too much at once, starts the clock, and turns whatever
// goes wrong into an answer. The time that a call waits for its turn does not count towards the hook's timeout.
// Absent: what the answer means. Shapes, kinds and names are checked by plan/, which is pure.

import type { Clock } from '../kit/clock.ts';
import { canonicalJson, type JsonValue } from '../kit/json.ts';
import type { Hook } from '../model/definition.ts';
import type { HookAnswer, HookCall } from '../model/need.ts';
import type { HookCaller, WebhookWire } from '../ports/hook.ts';
import type { HookCluster } from './cluster-access.ts';
import { withDeadline } from './deadline.ts';
import { cleanEnvironment } from './environment.ts';
import { createExecRunner } from './exec/runner.ts';
import { type FailureFacts, failureDiagnostic, HookFailure } from './failure.ts';
import { stripControls } from './foreign-text.ts';
import { Gate } from './gate.ts';
import { createJsonnetRunner } from './jsonnet/runner.ts';
import { createModuleRunner } from './module/runner.ts';
import { DEFAULT_LIMITS, type HookLimits, type HookRunner, type RunnerContext } from './runner.ts';
import { createWebhookRunner } from './webhook/runner.ts';

export interface HookCallerOptions {
  /** Of this process. Local hooks see PATH, HOME, LANG, TMPDIR and TZ of it, and what their definition adds. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Timeouts of running programs hang on it: a real clock, not a simulated one. */
  readonly clock: Clock;
  readonly limits?: Partial<HookLimits>;
  /** A command that evaluates Jsonnet hooks, instead of the engine in this program: a name on PATH or a path. */
  readonly jsonnetBinary?: string | undefined;
  /**
   * A line that a hook wrote beside its answer (stderr, console.log), prefixed with the hook's name, without line
   * break and control characters. Default: our stderr.
   */
  readonly onOutput?: (line: string) => void;
  /** Absent: webhooks that refer to Secrets or ConfigMaps fail, and Services are called by their names. */
  readonly cluster?: HookCluster;
  /** Address of the proxy that leads to a webhook's url. Default: none. */
  readonly proxyOf?: (url: URL) => string | undefined;
  /** Who watches the calls of webhooks, and adds to them. */
  readonly wire?: WebhookWire | undefined;
}

export function createHookCaller(options: HookCallerOptions): HookCaller {
  return new Caller(options);
}

class Caller implements HookCaller {
  readonly #context: RunnerContext;
  readonly #runners: Readonly<Record<Hook['kind'], HookRunner>>;
  readonly #all: Gate;
  /** One gate an endpoint or local hook; entries stay, there are as many as definitions have hooks. */
  readonly #gates = new Map<string, Gate>();

  constructor(options: HookCallerOptions) {
    const write = options.onOutput ?? ((line: string): void => void process.stderr.write(`${line}\n`));
    this.#context = {
      clock: options.clock,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      environment: cleanEnvironment(options.environment),
      onOutput: (label, line) => write(`[${label}] ${stripControls(line)}`),
      cluster: options.cluster,
      proxyOf: options.proxyOf,
      wire: options.wire,
    };
    this.#all = new Gate(this.#context.limits.inFlight);
    this.#runners = {
      webhook: createWebhookRunner(this.#context),
      exec: createExecRunner(this.#context),
      module: createModuleRunner(this.#context),
      jsonnet: createJsonnetRunner(this.#context, options.jsonnetBinary),
    };
  }

  async call(call: HookCall, signal: AbortSignal): Promise<HookAnswer> {
    try {
      // The hook's own gate comes first: whoever waits for a busy worker must not hold one of the places for all.
      const body = await this.#gateOf(call.hook).through(signal, () =>
        this.#all.through(signal, () => this.#run(call, signal)),
      );
      return { kind: 'hook', id: call.id, ok: true, body };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return failedAnswer(call, error instanceof HookFailure ? error.facts : unexpected(error));
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#runners).map((runner) => runner.close()));
  }

  #run(call: HookCall, signal: AbortSignal): Promise<JsonValue> {
    const deadline = { clock: this.#context.clock, timeoutMs: call.hook.timeoutMs, signal };
    return withDeadline(deadline, (limited) => this.#runners[call.hook.kind].run(call, limited));
  }

  #gateOf(hook: Hook): Gate {
    const key = gateKey(hook);
    const gate = this.#gates.get(key) ?? new Gate(gateSize(hook, this.#context.limits));
    this.#gates.set(key, gate);
    return gate;
  }
}

function gateKey(hook: Hook): string {
  if (hook.kind === 'module') return `module ${hook.path}`;
  if (hook.kind === 'webhook') return `webhook ${URL.parse(hook.url)?.origin ?? hook.url}`;
  // Any worker evaluates any program.
  if (hook.kind === 'jsonnet') return 'jsonnet';
  return `exec ${hook.mode} ${canonicalJson([hook.directory, hook.command, hook.env])}`;
}

function gateSize(hook: Hook, limits: HookLimits): number {
  if (hook.kind === 'webhook') return limits.perEndpoint;
  if (hook.kind === 'jsonnet') return limits.jsonnetWorkers;
  return hook.kind === 'exec' && hook.mode === 'once' ? limits.processesPerHook : 1;
}

function failedAnswer(call: HookCall, facts: FailureFacts): HookAnswer {
  const { retryAfterSeconds, statusCode } = facts;
  return {
    kind: 'hook',
    id: call.id,
    ok: false,
    diagnostic: failureDiagnostic(call, facts),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(statusCode === undefined ? {} : { statusCode }),
  };
}

function unexpected(error: unknown): FailureFacts {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal', what: error instanceof Error ? error.message : String(error), why: text };
}
