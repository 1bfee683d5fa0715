// The hook as an HTTP server: POST JSON, 200 is the only success (304 and 412 stand for the answer that was kept by its
// ETag), redirects are not followed. Who we are to it is in identity.ts, how it is reached in reach.ts.

import { type JsonValue, stringifyJson } from '../../kit/json.ts';
import type { WebhookHook } from '../../model/definition.ts';
import type { HookCall } from '../../model/need.ts';
import { refKey } from '../../model/ref.ts';
import { parseAnswer, tooLarge } from '../answer-text.ts';
import { abortable } from '../deadline.ts';
import { HookFailure } from '../failure.ts';
import type { HookRunner, RunnerContext } from '../runner.ts';
import { connectionFailure, isTlsFailure } from './connection-words.ts';
import { EtagCache, etagKey, type KeptAnswer } from './etag-cache.ts';
import { type Identity, isNobody, NOBODY, referencesOf, resolveIdentity } from './identity.ts';
import { Reach, type Reply } from './reach.ts';
import { References } from './references.ts';
import { isBusy, refusal } from './refusal.ts';

/** Of an answer that is not 200 no more than this is read: it goes into the message. */
const ERROR_BODY_BYTES = 16 * 1024;

export function createWebhookRunner(context: RunnerContext): HookRunner {
  return new WebhookRunner(context);
}

/** One call on its way. */
interface Trip {
  readonly call: HookCall;
  readonly hook: WebhookHook;
  readonly url: URL;
  readonly signal: AbortSignal;
  readonly kept: KeptAnswer | undefined;
  readonly etagKey: string | undefined;
}

class WebhookRunner implements HookRunner {
  readonly #context: RunnerContext;
  readonly #reach: Reach;
  readonly #references: References;
  readonly #etags = new EtagCache();
  /** Hook and parent → how often in a row the hook was busy. */
  readonly #busy = new Map<string, number>();

  constructor(context: RunnerContext) {
    const { cluster, clock, limits, wire, proxyOf = () => undefined } = context;
    this.#context = context;
    const connections = Math.min(limits.inFlight, limits.perEndpoint);
    this.#reach = new Reach({ cluster, clock, proxyOf, connections, onWire: wire?.onWire });
    this.#references = new References(cluster, clock);
  }

  async run(call: HookCall, signal: AbortSignal): Promise<JsonValue> {
    const { hook } = call;
    if (hook.kind !== 'webhook') throw new TypeError(`not a webhook: ${hook.kind}`);
    const url = parseUrl(hook.url);
    const key = hook.etag && etagKey(call, url);
    const kept = key === undefined ? undefined : this.#etags.get(key, this.#context.clock.steady());
    const trip: Trip = { call, hook, url, signal, kept, etagKey: key };
    try {
      const { reply, identity } = await this.#exchange(trip);
      return await this.#read(trip, reply, identity);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw error instanceof HookFailure ? error : connectionFailure(error, url, hook);
    }
  }

  close(): Promise<void> {
    return this.#reach.close();
  }

  /** Once more, if who we are has changed since it was read: a token that was replaced, an authority that is new. */
  async #exchange(trip: Trip): Promise<{ reply: Reply; identity: Identity }> {
    const identity = isNobody(trip.hook) ? NOBODY : await this.#identity(trip);
    let reply: Reply | undefined;
    let failed: unknown;
    try {
      reply = await this.#send(trip, identity);
      if (reply.status !== 401 && reply.status !== 403) return { reply, identity };
    } catch (error) {
      if (trip.signal.aborted || !isTlsFailure(error, trip.hook)) throw error;
      failed = error;
    }
    const renewed = await this.#renewed(trip, identity);
    if (renewed) {
      if (reply) await readBody(reply, ERROR_BODY_BYTES);
      return { reply: await this.#send(trip, renewed), identity: renewed };
    }
    if (reply) return { reply, identity };
    throw failed;
  }

  async #identity({ hook, signal }: Trip): Promise<Identity> {
    const known = { isKnown: this.#reach.knows, now: this.#context.clock.now() };
    try {
      return await abortable(resolveIdentity(hook, this.#references, known), signal);
    } catch (error) {
      // Whatever is wrong with a Secret: once it is put right, the next call shall see it.
      if (error instanceof HookFailure) this.#references.forget(referencesOf(hook));
      throw error;
    }
  }

  async #renewed(trip: Trip, refused: Identity): Promise<Identity | undefined> {
    const references = referencesOf(trip.hook);
    if (references.length === 0) return undefined;
    this.#references.renew(references);
    const newer = await this.#identity(trip);
    const same = newer.tlsKey === refused.tlsKey && newer.authorization === refused.authorization;
    return same ? undefined : newer;
  }

  async #send({ call, hook, url, signal, kept }: Trip, identity: Identity): Promise<Reply> {
    const headers = {
      ...this.#context.wire?.headers?.(),
      'content-type': 'application/json',
      ...(call.dryRun ? { 'metactl-dry-run': 'true' } : {}),
      ...(kept ? { 'if-none-match': kept.etag } : {}),
    };
    const body = stringifyJson(call.request);
    const reply = await this.#reach.send({ hook, url, identity, headers, body, signal });
    this.#context.wire?.onStatus?.(reply.status);
    return reply;
  }

  async #read(trip: Trip, reply: Reply, identity: Identity): Promise<JsonValue> {
    const { hook, kept, etagKey: key } = trip;
    const { limits, clock } = this.#context;
    if (kept && (reply.status === 304 || reply.status === 412)) {
      this.#busy.delete(busyKey(trip.call));
      await readBody(reply, ERROR_BODY_BYTES);
      return parseAnswer(kept.body, { where: 'the kept response body', strict: hook.strict });
    }
    if (reply.status !== 200) throw await this.#refused(trip, reply, identity);
    this.#busy.delete(busyKey(trip.call));
    const { bytes, cut } = await readBody(reply, limits.answerBytes);
    if (cut) throw tooLarge(limits.answerBytes, 'the response body');
    const answer = parseAnswer(bytes, { where: 'the response body', strict: hook.strict });
    if (key !== undefined)
      this.#etags.put(key, { etag: reply.header('etag'), body: bytes }, { ...hook.etag, now: clock.steady() });
    return answer;
  }

  async #refused({ call, hook, url }: Trip, reply: Reply, { hidden }: Identity): Promise<HookFailure> {
    const { bytes } = await readBody(reply, ERROR_BODY_BYTES);
    const key = busyKey(call);
    const busyBefore = this.#busy.get(key) ?? 0;
    if (isBusy(reply.status)) this.#busy.set(key, busyBefore + 1);
    else this.#busy.delete(key);
    return refusal({ hook, url, reply, bytes, hidden, busyBefore, now: this.#context.clock.now() });
  }
}

const busyKey = ({ controller, hookName, parent }: HookCall): string => `${controller} ${hookName} ${refKey(parent)}`;

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new HookFailure({ code: 'hook-failed', what: `${text} is not an http or https url` });
}

async function readBody(reply: Reply, limitBytes: number): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of reply.body) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop early destroys the stream, and with it the connection: nothing more is read.
    if (size > limitBytes) return { bytes: Buffer.concat(chunks).subarray(0, limitBytes), cut: true };
  }
  return { bytes: size === chunks[0]?.length ? chunks[0] : Buffer.concat(chunks), cut: false };
}
