import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import type { WatchEvent } from '../../ports/watch.ts';
import { ScopedObjects } from './scoped-objects.ts';

const TYPE: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
  verbs: [],
  subresources: [],
};

const object = (
  name: string,
  resourceVersion: number,
  more: { uid?: string; [key: string]: unknown } = {},
): KubeObject => {
  const { uid = `uid-${name}`, ...metadata } = more;
  const meta = { name, namespace: 'default', uid, resourceVersion: String(resourceVersion), ...metadata };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta };
};
const event = (type: 'ADDED' | 'MODIFIED' | 'DELETED', of: KubeObject): WatchEvent => ({ type, object: of });
const shape = (of: KubeObject | undefined): string | undefined =>
  of && `${of.metadata.uid}@${of.metadata.resourceVersion}`;

interface World {
  readonly objects: ScopedObjects;
  readonly changes: string[];
  readonly get: (name: string) => string | undefined;
  time: number;
}

function world(options: { follow?: boolean; labelSelector?: string; namespace?: string; name?: string } = {}): World {
  const { follow = true, ...selection } = options;
  const changes: string[] = [];
  const made: World = {
    objects: new ScopedObjects({
      scope: { type: TYPE, ...selection },
      follow,
      now: () => made.time,
      onChange: (before, after) => changes.push(`${shape(before)} → ${shape(after)}`),
    }),
    changes,
    get: (name) => shape(made.objects.store.get(`default/${name}`)),
    time: 0,
  };
  return made;
}

type Step = (world: World) => void;
const list =
  (version: number, ...items: KubeObject[]): Step =>
  (w) =>
    w.objects.relisted(items, String(version));
const sees =
  (type: 'ADDED' | 'MODIFIED' | 'DELETED', of: KubeObject): Step =>
  (w) =>
    w.objects.seen(event(type, of));
const bookmark =
  (version: number): Step =>
  (w) =>
    w.objects.seen({ type: 'BOOKMARK', resourceVersion: String(version) });
const wrote =
  (result: KubeObject, before?: KubeObject): Step =>
  (w) =>
    w.objects.record({ ...(before ? { before } : {}), result });
const deleted =
  (before: KubeObject): Step =>
  (w) =>
    w.objects.record({ before, result: undefined });
/** `a` reads so; `pending` own writes are waited for. */
const reads =
  (want: string | undefined, pending: number): Step =>
  (w) => {
    assert.equal(w.get('a'), want);
    assert.equal(w.objects.pending, pending);
  };

const NEW = { uid: 'uid-new' };
const FOLLOWED: { name: string; steps: Step[]; changes: string[] }[] = [
  {
    name: 'a create is read before the watch shows it, and the echo is no change',
    steps: [list(5), wrote(object('a', 6)), reads('uid-a@6', 1), sees('ADDED', object('a', 6)), reads('uid-a@6', 0)],
    changes: ['undefined → uid-a@6'],
  },
  {
    name: 'an echo of an older state does not show',
    steps: [
      list(5, object('a', 5)),
      wrote(object('a', 8)),
      sees('MODIFIED', object('a', 7)),
      reads('uid-a@8', 1),
      sees('MODIFIED', object('a', 8)),
      reads('uid-a@8', 0),
    ],
    changes: ['uid-a@5 → uid-a@8'],
  },
  {
    name: 'a later state of somebody else passes the write',
    steps: [list(5, object('a', 5)), wrote(object('a', 8)), sees('MODIFIED', object('a', 9)), reads('uid-a@9', 0)],
    changes: ['uid-a@5 → uid-a@8', 'uid-a@8 → uid-a@9'],
  },
  {
    name: 'the watch was faster than the answer',
    steps: [list(5), sees('ADDED', object('a', 6)), wrote(object('a', 6)), reads('uid-a@6', 0)],
    changes: ['undefined → uid-a@6'],
  },
  {
    name: 'created by us, seen, deleted by somebody, and only then our answer',
    steps: [
      list(5),
      sees('ADDED', object('a', 6)),
      sees('DELETED', object('a', 7)),
      wrote(object('a', 6)),
      reads(undefined, 0),
    ],
    changes: ['undefined → uid-a@6', 'uid-a@6 → undefined'],
  },
  {
    name: 'a delete hides the object, echoes too, until DELETED',
    steps: [
      list(5, object('a', 5)),
      deleted(object('a', 5)),
      reads(undefined, 1),
      sees('MODIFIED', object('a', 6)),
      reads(undefined, 1),
      sees('DELETED', object('a', 7)),
      reads(undefined, 0),
    ],
    changes: ['uid-a@5 → undefined'],
  },
  {
    name: 'a delete hides one UID only: the next object of the name shows',
    steps: [
      list(5, object('a', 5)),
      deleted(object('a', 5)),
      sees('ADDED', object('a', 9, NEW)),
      reads('uid-new@9', 0),
    ],
    changes: ['uid-a@5 → undefined', 'undefined → uid-new@9'],
  },
  {
    name: 'deleted and created again: echoes of the first incarnation do not show',
    steps: [
      list(5, object('a', 5)),
      deleted(object('a', 5)),
      wrote(object('a', 8, NEW)),
      sees('MODIFIED', object('a', 6)),
      reads('uid-new@8', 1),
      sees('DELETED', object('a', 7)),
      reads('uid-new@8', 1),
      sees('ADDED', object('a', 8, NEW)),
      reads('uid-new@8', 0),
    ],
    changes: ['uid-a@5 → undefined', 'undefined → uid-new@8'],
  },
  {
    name: 'created and deleted before the watch shows either',
    steps: [
      list(5),
      wrote(object('a', 6)),
      deleted(object('a', 6)),
      reads(undefined, 1),
      sees('ADDED', object('a', 6)),
      reads(undefined, 1),
      sees('DELETED', object('a', 7)),
      reads(undefined, 0),
    ],
    changes: ['undefined → uid-a@6', 'uid-a@6 → undefined'],
  },
  {
    name: 'deleted, created again, deleted again: echoes of neither show',
    steps: [
      list(5, object('a', 5)),
      deleted(object('a', 5)),
      wrote(object('a', 8, NEW)),
      deleted(object('a', 8, NEW)),
      reads(undefined, 1),
      sees('MODIFIED', object('a', 6)),
      reads(undefined, 1),
      sees('DELETED', object('a', 7)),
      sees('ADDED', object('a', 8, NEW)),
      reads(undefined, 1),
      sees('DELETED', object('a', 9, NEW)),
      reads(undefined, 0),
    ],
    changes: ['uid-a@5 → undefined', 'undefined → uid-new@8', 'uid-new@8 → undefined'],
  },
  {
    name: 'an answer that comes after the delete of its object is not shown',
    steps: [list(5, object('a', 5)), deleted(object('a', 5)), wrote(object('a', 6)), reads(undefined, 1)],
    changes: ['uid-a@5 → undefined'],
  },
  {
    name: 'answers of parallel writes in the wrong order: the newer stays',
    steps: [list(5, object('a', 5)), wrote(object('a', 8)), wrote(object('a', 7)), reads('uid-a@8', 1)],
    changes: ['uid-a@5 → uid-a@8'],
  },
  {
    name: 'versions are compared as numbers, not as texts',
    steps: [list(5, object('a', 9)), wrote(object('a', 10)), sees('MODIFIED', object('a', 9)), reads('uid-a@10', 1)],
    changes: ['uid-a@9 → uid-a@10'],
  },
  {
    name: 'a finalizer’s last removal is answered with the object: it is gone all the same',
    steps: [
      list(5, object('a', 5)),
      wrote(object('a', 5, { deletionTimestamp: 't', deletionGracePeriodSeconds: 0 }), object('a', 5)),
      reads(undefined, 1),
      sees('DELETED', object('a', 6)),
      reads(undefined, 0),
    ],
    changes: ['uid-a@5 → undefined'],
  },
  {
    name: 'a relist at or after the write covers it, an earlier one does not',
    steps: [list(5), wrote(object('a', 8)), list(7), reads('uid-a@8', 1), list(8, object('a', 8)), reads('uid-a@8', 0)],
    changes: ['undefined → uid-a@8'],
  },
  {
    name: 'a relist without the object ends the overlay of a write, too',
    steps: [list(5), wrote(object('a', 8)), list(9), reads(undefined, 0)],
    changes: ['undefined → uid-a@8', 'uid-a@8 → undefined'],
  },
  {
    name: 'a relist that still holds the deleted object is older than the delete',
    steps: [
      list(5, object('a', 5)),
      deleted(object('a', 5)),
      list(6, object('a', 5)),
      reads(undefined, 1),
      list(7),
      reads(undefined, 0),
    ],
    changes: ['uid-a@5 → undefined'],
  },
  {
    name: 'a bookmark covers a write, not a delete whose version is unknown',
    steps: [
      list(5, object('a', 5)),
      wrote(object('a', 6)),
      bookmark(6),
      reads('uid-a@5', 0),
      deleted(object('a', 5)),
      bookmark(9),
      reads(undefined, 1),
    ],
    changes: ['uid-a@5 → uid-a@6', 'uid-a@6 → uid-a@5', 'uid-a@5 → undefined'],
  },
  {
    name: 'after 30 s that the watch did not show it, the watch counts again',
    steps: [
      list(5, object('a', 5)),
      wrote(object('a', 6)),
      (w) => w.objects.expire(-1),
      reads('uid-a@6', 1),
      (w) => w.objects.expire(0),
      reads('uid-a@5', 0),
    ],
    changes: ['uid-a@5 → uid-a@6', 'uid-a@6 → uid-a@5'],
  },
  {
    name: 'a write recorded while the first list is under way is not lost',
    steps: [wrote(object('a', 6)), list(5), reads('uid-a@6', 1), sees('ADDED', object('a', 6)), reads('uid-a@6', 0)],
    changes: [],
  },
  {
    name: 'a no-op write changes nothing and is not waited for',
    steps: [list(5, object('a', 3)), wrote(object('a', 3)), reads('uid-a@3', 0)],
    changes: [],
  },
];

describe('own writes over a followed scope', () => {
  for (const { name, steps, changes } of FOLLOWED) {
    it(name, () => {
      const w = world();
      for (const step of steps) step(w);
      assert.deepEqual(w.changes, changes);
    });
  }
});

describe('own writes over a scope that is listed once are final', () => {
  const cases: { name: string; steps: Step[] }[] = [
    { name: 'create', steps: [list(5), wrote(object('a', 6)), reads('uid-a@6', 0)] },
    { name: 'delete', steps: [list(5, object('a', 5)), deleted(object('a', 5)), reads(undefined, 0)] },
    {
      name: 'delete of another incarnation',
      steps: [list(5, object('a', 5)), deleted(object('a', 4, NEW)), reads('uid-a@5', 0)],
    },
    { name: 'recorded before the list', steps: [wrote(object('a', 6)), list(5), reads('uid-a@6', 0)] },
    {
      name: 'an older answer',
      steps: [list(5), wrote(object('a', 8)), wrote(object('a', 7)), reads('uid-a@8', 0)],
    },
  ];
  for (const { name, steps } of cases) {
    it(name, () => {
      const w = world({ follow: false });
      for (const step of steps) step(w);
    });
  }
});

describe('own writes and what a scope selects', () => {
  it('another name', () => {
    const w = world({ name: 'b' });
    for (const step of [list(5), wrote(object('a', 6)), reads(undefined, 0)]) step(w);
  });

  it('another namespace', () => {
    const w = world({ namespace: 'other' });
    for (const step of [list(5), wrote(object('a', 6)), reads(undefined, 0)]) step(w);
  });

  it('labels that do not match, and that stop matching', () => {
    const w = world({ labelSelector: 'app=web' });
    const web = { labels: { app: 'web' } };
    const steps = [
      list(5),
      wrote(object('b', 6)),
      // The watch will not tell of what never was in the scope: nothing to wait for.
      reads(undefined, 0),
      (at: World) => assert.equal(at.get('b'), undefined),
      wrote(object('a', 7, web)),
      reads('uid-a@7', 1),
      sees('ADDED', object('a', 7, web)),
      wrote(object('a', 8)),
      reads(undefined, 1),
      sees('DELETED', object('a', 8)),
      reads(undefined, 0),
      sees('ADDED', object('a', 9, web)),
      reads('uid-a@9', 0),
      bookmark(9),
      reads('uid-a@9', 0),
    ];
    for (const step of steps) step(w);
  });
});

describe('a first list in pieces', () => {
  it('own writes recorded before and between the pieces are read, and the list is no change', async () => {
    const w = world();
    const named = (name: string, version: number): KubeObject => object(name, version, {});
    wrote(named('early-gone', 3))(w);
    wrote(named('m-0', 20))(w);
    const items = Array.from({ length: 5_000 }, (_, i) => named(`m-${i}`, 5));
    const loading = w.objects.listedInPieces(items, '10');
    wrote(named('m-4999', 21))(w);
    wrote(named('new', 22))(w);
    await loading;
    assert.equal(w.objects.store.list().length, 5_001);
    assert.deepEqual(
      ['early-gone', 'm-0', 'm-1', 'm-4999', 'new'].map((name) => w.get(name)?.split('@')[1]),
      [undefined, '20', '5', '21', '22'],
    );
    assert.equal(w.objects.pending, 3);
    assert.deepEqual(w.changes, []);
  });
});
