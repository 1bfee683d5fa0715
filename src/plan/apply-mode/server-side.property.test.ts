// Random histories of one child: created in either mode, under one of our names, edited and applied by others, wanted
// otherwise again and again. Whatever happened, mode server-side comes to an end, what is wanted is there, and no field is
// owned by two names that mean us.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import {
  decodeManaged,
  EMPTY_SET,
  type FieldSet,
  intersection,
  isEmptySet,
  LAST_APPLIED_ANNOTATION,
  managedFieldsOf,
  nameOfId,
  recursiveDifference,
  setOfPaths,
  withLastApplied,
} from '../../merge/index.ts';
import type { ApplySettings, ConflictRule } from '../../model/definition.ts';
import type { Answer } from '../../model/need.ts';
import type { KubeObject, OwnerReference } from '../../model/object.ts';
import { allSchemas, schemaName } from '../../sandbox/kube-data/index.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { pick, withSeeds } from '../../testing/random-json.ts';
import { type Tracked, trackedIn } from '../../testing/tracked.ts';
import { rebase } from '../rebase.ts';
import type { ChildWrite, Conflicted } from './apply-mode.ts';
import { DynamicMode } from './dynamic.ts';
import { legacyOfChildren } from './legacy.ts';
import { KUBECTL_APPLY, ourManagers } from './managers.ts';
import { ServerSideMode } from './server-side.ts';

const tracking = trackedIn(allSchemas(), schemaName);
const SERVICES = { ...CONFIG_MAPS, kind: 'Service', resource: 'services', subresources: ['status'] };
const OWNER: OwnerReference = { apiVersion: 'v1', kind: 'Thing', name: 'one', uid: 'u-1', controller: true };
const NAMES = ['metactl', 'metacontroller'] as const;
const US: readonly string[] = [...NAMES, KUBECTL_APPLY.manager];

type Random = () => number;
const some = <T>(random: Random, list: readonly T[]): T[] => list.filter(() => random() < 0.5);
const record = (random: Random, keys: readonly string[]): JsonObject =>
  Object.fromEntries(some(random, keys).map((key) => [key, pick(random, ['1', '2', '3'])]));

/** A Service, as it has maps, a keyed list with a default among its keys, an atomic list and plain values. */
function service(random: Random): KubeObject {
  const ports = some(random, [80, 81, 82]).map((port) => ({
    ...{ name: `p${port}`, port, protocol: 'TCP' },
    ...(random() < 0.5 ? { targetPort: pick(random, [1, 2]) } : {}),
  }));
  const spec = {
    selector: record(random, ['a', 'b']),
    ...(random() < 0.7 ? { ports } : {}),
    ...(random() < 0.5 ? { externalIPs: some(random, ['192.0.2.1', '192.0.2.2']) } : {}),
    ...(random() < 0.5 ? { sessionAffinity: pick(random, ['None', 'ClientIP']) } : {}),
  };
  const labels = { app: 'x', ...record(random, ['l', 'm']) };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 's', namespace: 'n', labels }, spec };
}

const owned = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ownerReferences: [OWNER] },
});

function begin(random: Random): Tracked {
  const first = service(random);
  const how = random();
  if (how < 0.3) return tracking.applied(SERVICES, owned(first), pick(random, NAMES));
  const recorded = (annotation: string): KubeObject => withLastApplied(first, annotation);
  if (how < 0.7) return tracking.created(SERVICES, owned(recorded(LAST_APPLIED_ANNOTATION)), pick(random, NAMES));
  // Somebody took the record off: what we wrote is known from the updates alone.
  if (how < 0.8) return tracking.created(SERVICES, owned(first), 'metactl');
  const { annotation, manager } = KUBECTL_APPLY;
  return tracking.created(SERVICES, recorded(annotation), manager).updated(owned, 'metactl');
}

/** Somebody else's doing: an edit of the whole spec or labels, or an apply of some fields. */
function disturbed(tracked: Tracked, random: Random): Tracked {
  const theirs = service(random);
  const manager = pick(random, ['someone', 'another']);
  if (random() < 0.4) return tracked.applied(theirs, manager, true);
  return tracked.updated((live) => {
    const spec = {
      ...(live['spec'] as JsonObject),
      ...some(random, Object.entries(theirs['spec'] as JsonObject)).reduce(asObject, {}),
    };
    const { labels } = random() < 0.5 ? theirs.metadata : live.metadata;
    return { ...live, metadata: { ...live.metadata, ...(labels ? { labels } : {}) }, spec };
  }, manager);
}

const asObject = (object: JsonObject, [key, value]: readonly [string, JsonObject[string]]): JsonObject => ({
  ...object,
  [key]: value,
});

interface Run {
  readonly settings: ApplySettings;
  readonly desired: KubeObject;
}

function decide(observed: KubeObject, { settings, desired }: Run): ChildWrite | Conflicted | undefined {
  const answers = new Map<string, Answer>();
  const server = tracking.fakeServer();
  for (let round = 0; round < 10; round++) {
    const { fieldManager } = settings;
    const mode =
      settings.mode === 'dynamic'
        ? new DynamicMode({ managers: ourManagers(fieldManager), types: [SERVICES], answers })
        : new ServerSideMode({
            settings,
            answers,
            types: [SERVICES],
            owner: OWNER,
            tryAll: false,
            legacy: legacyOfChildren(fieldManager),
          });
    const write = mode.updateOf(observed, desired);
    if (mode.needs.length === 0) return write;
    for (const need of mode.needs)
      answers.set(
        need.id,
        need.kind === 'live-read' ? { kind: 'live-read', id: need.id, object: observed } : server.answer(need),
      );
  }
  throw new Error('it asks on and on');
}

/** Until nothing is left; a conflict ends it too. */
function settle(from: Tracked, run: Run): { readonly tracked: Tracked; readonly conflicts: readonly string[] } {
  let tracked = from;
  for (let writes = 0; writes < 5; writes++) {
    const write = decide(tracked.object, run);
    if (!write) return { tracked, conflicts: [] };
    if ('conflicts' in write) {
      assert.equal(tracked.object, from.object, 'a conflict is told before anything is written');
      return { tracked, conflicts: write.conflicts };
    }
    const { fieldManager } = run.settings;
    const { intent, after, force } = write;
    if (intent.kind === 'apply') tracked = tracked.applied(intent.desired, fieldManager, force);
    else {
      const carried = intent.kind === 'merge' ? rebase(intent, tracked.object) : after;
      tracked = tracked.updated(() => carried ?? after, fieldManager);
    }
  }
  throw new assert.AssertionError({ message: 'it never ends' });
}

const OWNERS = setOfPaths([['f:metadata', 'f:ownerReferences']]);

/** What the field manager applies and another entry of ours owns too. */
function ownedTwice(object: KubeObject): FieldSet[] {
  const managed = decodeManaged(managedFieldsOf(object));
  assert.ok('managers' in managed);
  const ours = [...managed.managers].filter(([id]) => US.includes(nameOfId(id).manager ?? ''));
  const [applied] = ours.flatMap(([id, { set }]) => (nameOfId(id).operation === 'Apply' ? set : []));
  return ours.flatMap(([, { set }]) => {
    const both = set === applied || !applied ? EMPTY_SET : recursiveDifference(intersection(set, applied), OWNERS);
    return isEmptySet(both) ? [] : both;
  });
}

/** Everything that is wanted is so; the server may have more. */
function holds(live: JsonObject[string], wanted: JsonObject[string]): boolean {
  if (isJsonObject(wanted))
    return isJsonObject(live) && Object.keys(wanted).every((key) => holds(live[key], wanted[key]));
  if (!Array.isArray(wanted)) return live === wanted;
  if (!Array.isArray(live)) return wanted.length === 0;
  return wanted.every((item) => live.some((candidate) => holds(candidate, item)));
}

const RULES: readonly ConflictRule[] = [
  { path: 'spec.ports', action: 'ignore' },
  { path: 'metadata.labels', manager: 'someone', action: 'ignore' },
  { path: 'spec.externalIPs', action: 'ignore' },
];

test('random histories', () => {
  withSeeds(7_000, 150, (random) => {
    let tracked = begin(random);
    let mode: ApplySettings['mode'] = 'server-side';
    for (let step = 0; step < 6; step++) {
      for (const _ of some(random, [1, 2])) tracked = disturbed(tracked, random);
      mode = random() < 0.25 ? 'dynamic' : 'server-side';
      const conflicts = random() < 0.4 ? RULES : [];
      const force = random() < 0.5;
      const run: Run = { settings: { mode, fieldManager: 'metactl', conflicts, force }, desired: service(random) };
      const settled = settle(tracked, run);
      tracked = settled.tracked;
      if (force) assert.deepEqual(settled.conflicts, []);
      if (settled.conflicts.length > 0) continue;
      assert.equal(decide(tracked.object, run), undefined, 'a second run has nothing to do');
      if (mode === 'dynamic') continue;
      assert.deepEqual(ownedTwice(tracked.object), []);
      assert.equal(tracked.object.metadata.annotations?.[LAST_APPLIED_ANNOTATION], undefined);
      if (conflicts.length === 0) assert.ok(holds(tracked.object, run.desired), 'what is wanted is there');
    }
  });
});
