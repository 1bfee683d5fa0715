// Secrets and ConfigMaps that webhooks refer to: read by name, kept for a short while, read again when the hook did not
// take what was read. So a changed Secret takes effect without a restart, and a quiet one costs a read now and then.
// What could not be read, or not be used, is not kept.

import type { Clock } from '../../kit/clock.ts';
import { isJsonObject, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import type { ObjectName } from '../../model/webhook.ts';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import { missingPermission } from '../../ports/permission.ts';
import type { HookCluster } from '../cluster-access.ts';
import { HookFailure } from '../failure.ts';

const FRESH_MS = 30_000;
/** Read again on demand no more often than this: a wrong token must not turn each call into a read. */
const RENEWAL_PAUSE_MS = 1_000;

const core = (kind: string, resource: string): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  resource,
  namespaced: true,
  verbs: ['get'],
  subresources: [],
});
const TYPES = { Secret: core('Secret', 'secrets'), ConfigMap: core('ConfigMap', 'configmaps') };

export interface Reference extends ObjectName {
  readonly kind: keyof typeof TYPES;
  readonly key: string;
  /** The field of the definition that refers to it: "caBundle". */
  readonly field: string;
}

interface Kept {
  readonly object: Promise<KubeObject>;
  readonly at: number;
}

export class References {
  readonly #cluster: HookCluster | undefined;
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #kept = new Map<string, Kept>();
  /** Secrets as they were last told of: whoever keeps them need not keep one for each reading. */
  readonly #told = new Map<string, KubeObject>();

  constructor(cluster: HookCluster | undefined, clock: Pick<Clock, 'steady'>) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  /** The bytes under the key; never empty. Throws HookFailure, which names the object and holds nothing of its content. */
  async bytes(reference: Reference): Promise<Buffer> {
    const bytes = bytesUnder(await this.#object(reference), reference);
    if (bytes.toString('latin1').trim() === '')
      throw failure(reference, `the key "${reference.key}" of ${nameOf(reference)} is empty`);
    return bytes;
  }

  /** What was read of these is of no use: the next look reads them again. */
  forget(references: readonly Reference[]): void {
    for (const reference of references) this.#kept.delete(keyOf(reference));
  }

  /** The next look at these reads them again, unless they were read just now. */
  renew(references: readonly Reference[]): void {
    for (const reference of references) {
      const key = keyOf(reference);
      const kept = this.#kept.get(key);
      if (kept && this.#clock.steady() - kept.at >= RENEWAL_PAUSE_MS) this.#kept.delete(key);
    }
  }

  #object(reference: Reference): Promise<KubeObject> {
    const key = keyOf(reference);
    const kept = this.#kept.get(key);
    const now = this.#clock.steady();
    if (kept && now - kept.at < FRESH_MS) return kept.object;
    const reading: Kept = { object: this.#read(reference), at: now };
    this.#kept.set(key, reading);
    reading.object.catch(() => {
      if (this.#kept.get(key) === reading) this.#kept.delete(key);
    });
    return reading.object;
  }

  async #read(reference: Reference): Promise<KubeObject> {
    const { kind, name, namespace } = reference;
    if (!this.#cluster) throw failure(reference, `there is no cluster to read ${nameOf(reference)} from`);
    const object = await this.#cluster.reader.get(TYPES[kind], name, namespace).catch((error: unknown) => {
      throw unreadable(reference, error);
    });
    if (object === undefined)
      throw failure(reference, `${nameOf(reference)} does not exist`, `create it with the key "${reference.key}"`);
    if (kind === 'Secret') this.#tell(keyOf(reference), object, this.#cluster);
    return object;
  }

  #tell(key: string, secret: KubeObject, { onSecret }: HookCluster): void {
    if (jsonEqual(this.#told.get(key), secret)) return;
    this.#told.set(key, secret);
    onSecret(secret);
  }
}

const keyOf = ({ kind, namespace, name }: Reference): string => `${kind} ${namespace}/${name}`;
const nameOf = ({ kind, namespace, name }: Reference): string => `the ${kind} ${namespace}/${name}`;

function bytesUnder(object: KubeObject, reference: Reference): Buffer {
  const { kind, key } = reference;
  const { data, binaryData } = object;
  const encoded = kind === 'Secret' ? data : binaryData;
  if (isJsonObject(encoded) && Object.hasOwn(encoded, key)) return Buffer.from(String(encoded[key]), 'base64');
  if (kind === 'ConfigMap' && isJsonObject(data) && Object.hasOwn(data, key)) return Buffer.from(String(data[key]));
  const keys = [data, binaryData].flatMap((map) => (isJsonObject(map) ? Object.keys(map) : [])).sort();
  const there = keys.length === 0 ? 'it has no keys' : `its keys: ${keys.join(', ')}`;
  throw failure(
    reference,
    `${nameOf(reference)} has no key "${key}"`,
    `${there}; add the key, or correct the definition`,
  );
}

function failure({ field }: Reference, what: string, hint?: string): HookFailure {
  return new HookFailure({ code: 'hook-failed', what: `webhook.${field}: ${what}`, hint });
}

function unreadable(reference: Reference, error: unknown): unknown {
  const what = `webhook.${reference.field}: ${nameOf(reference)} can't be read`;
  const denied = missingPermission(error);
  const { namespace, name, kind } = reference;
  const rule = `{apiGroups: [""], resources: ["${TYPES[kind].resource}"], resourceNames: ["${name}"], verbs: ["get"]}`;
  if (denied)
    return new HookFailure(
      {
        code: 'forbidden',
        what: `${what}: ${denied.summary}`,
        why: denied.detail,
        hint: `A Role in namespace "${namespace}" needs the rule ${rule}.`,
      },
      { cause: error },
    );
  if (!(error instanceof ApiError || error instanceof ConnectionError)) return error;
  return new HookFailure({ code: 'hook-failed', what: `${what}: ${error.message}` }, { cause: error });
}
