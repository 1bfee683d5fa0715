// The Secrets of one run, and everything that goes out of it in words: what hooks print, errors of hooks and of the API
// server, progress. Plans are masked by their renderers, which are given these Secrets (Plan.secrets).
// What a hook prints is held back until the calls that run with it have answered: it may be about to return a Secret
// whose value it has just printed.

import { isSecret, mapDiagnosticText, SecretFinder } from '../diff/index.ts';
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../kit/json.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { DiagnosticError } from '../model/diagnostic.ts';
import type { HookAnswer, HookCall } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import type { WaitingOn } from '../model/plan.ts';
import type { AppliedChange, ChangeOutcome, Progress } from '../model/progress.ts';
import { refKey, refOf } from '../model/ref.ts';
import type { HookCaller } from '../ports/hook.ts';

const MARK = '(Secret value)';

interface HeldLine {
  readonly line: string;
  readonly waitsFor: Set<HookCall>;
}

export class Confidential {
  /** Two generations: what has not come by for long is forgotten, in a process that runs for long. */
  #finder = new SecretFinder();
  #earlier: SecretFinder | undefined;
  #secrets = new Set<KubeObject>();
  readonly #inFlight = new Set<HookCall>();
  readonly #write: (line: string) => void;
  #held: HeldLine[] = [];

  readonly #most: number;

  /**
   * `write` takes a line that a hook printed, when it may be shown. `most`: Secrets of a generation; who makes a plan
   * keeps them all.
   */
  constructor(write: (line: string) => void, most = Number.POSITIVE_INFINITY) {
    this.#write = write;
    this.#most = most;
  }

  /** Anything that may be or hold Secrets: objects, lists and maps of objects. */
  learn(value: JsonValue | undefined): void {
    if (isJsonArray(value)) for (const item of value) this.learn(item);
    else if (isSecretObject(value)) this.#learnSecret(value);
  }

  /** In an order that does not depend on which call came first. */
  get secrets(): readonly KubeObject[] {
    const keyed = [...this.#secrets].map((object) => ({ object, key: keyOf(object) }));
    return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ object }) => object);
  }

  readonly text = (text: string): string => {
    const masked = this.#finder.replace(text, () => MARK);
    return this.#earlier?.replace(masked, () => MARK) ?? masked;
  };
  readonly diagnostic = (diagnostic: Diagnostic): Diagnostic => mapDiagnosticText(diagnostic, this.text);
  readonly waitingOn = (on: WaitingOn): WaitingOn => ({ ...on, reason: this.text(on.reason) });
  readonly applied = (applied: AppliedChange): AppliedChange => ({
    ...applied,
    outcome: this.#outcome(applied.outcome),
  });

  progress(progress: Progress): Progress {
    if (progress.kind === 'change.end') return { ...progress, outcome: this.#outcome(progress.outcome) };
    if (progress.kind === 'waiting') return { ...progress, on: progress.on.map(this.waitingOn) };
    return progress.kind === 'diagnostic'
      ? { ...progress, diagnostic: this.diagnostic(progress.diagnostic) }
      : progress;
  }

  /** An error that ends the run, with its diagnostics masked. */
  error(error: unknown): unknown {
    if (!(error instanceof DiagnosticError)) return error;
    return new DiagnosticError(error.diagnostics.map(this.diagnostic), { cause: error.cause });
  }

  /** A line that a hook printed. */
  readonly output = (line: string): void => {
    this.#held.push({ line, waitsFor: new Set(this.#inFlight) });
    this.#flush();
  };

  /** Learns what the calls carry, and masks how they fail. */
  overhear(caller: HookCaller): HookCaller {
    return {
      call: async (call, signal) => {
        for (const field of ['parent', 'object', 'input']) this.learn(call.request[field]);
        for (const field of ['children', 'attachments', 'outputs', 'related']) this.#learnGroups(call.request[field]);
        this.#inFlight.add(call);
        try {
          return this.#heard(await caller.call(call, signal));
        } finally {
          this.#inFlight.delete(call);
          for (const { waitsFor } of this.#held) waitsFor.delete(call);
          this.#flush();
        }
      },
      close: async () => {
        await caller.close();
        this.#flush();
      },
    };
  }

  #heard(answer: HookAnswer): HookAnswer {
    if (!answer.ok) return { ...answer, diagnostic: this.diagnostic(answer.diagnostic) };
    if (isJsonObject(answer.body))
      for (const field of ['children', 'attachments', 'outputs']) this.learn(answer.body[field]);
    return answer;
  }

  #learnGroups(groups: JsonValue | undefined): void {
    if (!isJsonObject(groups)) return;
    for (const group of Object.values(groups)) {
      if (isJsonObject(group)) for (const object of Object.values(group)) this.learn(object);
    }
  }

  #learnSecret(secret: KubeObject): void {
    if (this.#secrets.has(secret)) return;
    if (this.#secrets.size >= this.#most) {
      this.#earlier = this.#finder;
      this.#finder = new SecretFinder();
      this.#secrets = new Set();
    }
    this.#secrets.add(secret);
    this.#finder.learn(secret);
  }

  #outcome(outcome: ChangeOutcome): ChangeOutcome {
    if (outcome.kind === 'failed') return { ...outcome, diagnostic: this.diagnostic(outcome.diagnostic) };
    return 'why' in outcome ? { ...outcome, why: this.text(outcome.why) } : outcome;
  }

  #flush(): void {
    while (this.#held[0]?.waitsFor.size === 0) {
      const [first, ...rest] = this.#held;
      this.#held = rest;
      if (first) this.#write(this.text(first.line));
    }
  }
}

/** What a hook returned may lack anything; the finder looks at data, stringData and annotations only. */
function isSecretObject(value: JsonValue | undefined): value is KubeObject {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return false;
  const { apiVersion, kind } = value;
  return typeof apiVersion === 'string' && typeof kind === 'string' && isSecret({ apiVersion, kind });
}

function keyOf(secret: KubeObject): string {
  return `${refKey(refOf(secret))} ${stringifyJson(secret)}`;
}
