// A real control plane of one test's own, which may be killed, started again, robbed of its history, made to refuse writes or to
// hang; without controllers; and what etcd, which outlives all of this, knows of the objects that were ever created.

import { dirname } from 'node:path';
import { findBinaries } from '../../tools/kube/binaries.ts';
import { controlPlaneForThisRun } from '../../tools/kube/for-a-run.ts';
import { isRunning, signalProcess, startProcess } from '../../tools/kube/processes.ts';
import { apiServer } from '../../tools/kube/programs.ts';
import { connect } from '../cluster/index.ts';
import { realClock } from './real-clock.ts';
import { findRealServer } from './real-server.ts';
import { createNamespace, type TestTarget } from './targets.ts';
import { until } from './until.ts';

export interface OwnServer extends TestTarget {
  /** kill -9 of the API server; resolves when it is gone. */
  kill(): Promise<void>;
  /** On the same port, with the same certificate; resolves when it is ready. */
  start(): Promise<void>;
  /** etcd forgets all that was, so that a server that starts knows no older position of a watch. */
  compact(): Promise<void>;
  /** etcd is out of space: it refuses writes, and is read as before. */
  refuseWrites(on: boolean): Promise<void>;
  /** etcd hangs. */
  freeze(on: boolean): void;
  /** Keys below /registry/, each time that it was created: "pods/NAMESPACE/NAME". Follows etcd until `signal`. */
  followCreations(onCreated: (key: string) => void, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Why there can be none; undefined: there can. For `skip`. */
export function noOwnServer(): string | false {
  const shared = findRealServer(process.env);
  if (!shared.available) return shared.reason;
  const binaries = findBinaries(process.env);
  if ('missing' in binaries) return `needs the real API server: ${binaries.missing}`;
  return false;
}

export async function ownServer(): Promise<OwnServer> {
  const binaries = findBinaries(process.env);
  if ('missing' in binaries) throw new Error(binaries.missing);
  // Controllers would be troubled too, and some do not get over it: the scheduler after a compaction, for one.
  const { etcd: store, apiServer: program, kubectl } = binaries;
  const { kubeconfig, ports } = await controlPlaneForThisRun({ etcd: store, apiServer: program, kubectl });
  const directory = dirname(kubeconfig);
  const connection = await connect({ kubeconfig, variables: {}, clock: realClock });
  if (!connection) throw new Error(`${kubeconfig} leads nowhere`);
  const { transport } = connection;
  const etcd = etcdAt(`http://127.0.0.1:${ports.etcdClient}`);
  const isReady = async (): Promise<boolean> => {
    const answer = await transport.request({ method: 'GET', path: '/readyz' }).catch(() => undefined);
    await answer?.text();
    return answer?.status === 200;
  };
  return {
    kind: 'real',
    transport,
    choice: { kubeconfig },
    controllers: false,
    namespace: () => createNamespace(transport),
    kill: async () => {
      signalProcess(directory, 'kube-apiserver', 'SIGKILL');
      await until('the API server is gone', () => !isRunning(directory, 'kube-apiserver'));
    },
    start: async () => {
      await startProcess(directory, apiServer(binaries, ports));
      await until('the API server is ready', isReady, 120_000);
    },
    freeze: (on) => signalProcess(directory, 'etcd', on ? 'SIGSTOP' : 'SIGCONT'),
    ...etcd,
    close: () => transport.close(),
  };
}

/** By etcd's JSON face. */
function etcdAt(url: string): Pick<OwnServer, 'compact' | 'refuseWrites' | 'followCreations'> {
  const call = async (path: string, body: object, signal?: AbortSignal): Promise<Response> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    if (!response.ok) throw new Error(`etcd ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    compact: async () => {
      // Behind what any watch has seen.
      const put = await call('/v3/kv/put', { key: base64('/metactl-test'), value: base64('x') });
      const { header } = (await put.json()) as { header: { revision: string } };
      await call('/v3/kv/compaction', { revision: header.revision, physical: true });
    },
    refuseWrites: async (on) => {
      const { members } = (await (await call('/v3/cluster/member/list', {})).json()) as { members: { ID: string }[] };
      const action = on ? 'ACTIVATE' : 'DEACTIVATE';
      for (const { ID: memberID } of members)
        await call('/v3/maintenance/alarm', { action, memberID, alarm: 'NOSPACE' });
    },
    followCreations: async (onCreated, signal) => {
      const range = { key: base64(REGISTRY), range_end: base64('/registry0'), start_revision: '1' };
      const { body } = await call('/v3/watch', { create_request: range }, signal);
      if (!body) throw new Error('etcd: a watch without a body');
      void (async () => {
        let rest = '';
        for await (const piece of body.pipeThrough(new TextDecoderStream())) {
          const lines = (rest + piece).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) for (const key of createdIn(line)) onCreated(key);
        }
      })().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
  };
}

const REGISTRY = '/registry/';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface EtcdEvents {
  readonly result: {
    readonly events?: readonly {
      readonly type?: 'DELETE';
      readonly kv: { readonly key: string; readonly create_revision?: string; readonly mod_revision: string };
    }[];
  };
}

function createdIn(line: string): readonly string[] {
  const { events = [] } = (JSON.parse(line) as EtcdEvents).result;
  return events.flatMap(({ type, kv: { key, create_revision: created, mod_revision: changed } }) =>
    type === undefined && created === changed ? [Buffer.from(key, 'base64').toString().slice(REGISTRY.length)] : [],
  );
}
