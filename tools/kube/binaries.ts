// The programs of a control plane: where they are, and how they are built from published Go modules.
// Building takes about 8 minutes on two cores the first time and nothing afterwards, so only `kube.ts build` (by hand or in
// .ci/run) ever does it; the tests use what is there.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const KUBERNETES_VERSION = 'v1.36.3';

type Program = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kwok' | 'kubectl' | 'helm';

/** Absolute paths. The optional programs are absent from the usual KUBEBUILDER_ASSETS; features then shrink with them. */
export interface Binaries {
  readonly etcd: string;
  readonly apiServer: string;
  readonly kubectl: string;
  /** To render our chart: no part of a control plane. */
  readonly helm?: string;
  /** Garbage collection, namespaces and the workload controllers. */
  readonly controllerManager?: string;
  /** Both or neither: with them pods are scheduled and become Ready. */
  readonly pods?: { readonly scheduler: string; readonly kwok: string };
}

/** Module directory and package of each program; a Go module of ours pins every dependency in its go.sum. */
const SOURCES: Readonly<Record<Program, { readonly module: string; readonly package: string }>> = {
  etcd: { module: 'etcd', package: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': { module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  'kube-controller-manager': { module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  kubectl: { module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kubectl' },
  'kube-scheduler': { module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-scheduler' },
  kwok: { module: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok' },
  // Of the same k8s.io modules as kubectl: most of it is compiled by then.
  helm: { module: 'helm', package: 'helm.sh/helm/v3/cmd/helm' },
};

/** The cache outlives checkouts: $XDG_CACHE_HOME/metactl/kube/<version>. */
function cacheDirectory(environment: NodeJS.ProcessEnv): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'metactl', 'kube', KUBERNETES_VERSION);
}

/** The programs that exist, or the reason why there is no control plane. KUBEBUILDER_ASSETS wins over the cache. */
export function findBinaries(environment: NodeJS.ProcessEnv): Binaries | { readonly missing: string } {
  const assets = environment['KUBEBUILDER_ASSETS'];
  const directory = assets || cacheDirectory(environment);
  const find = (program: Program): string | undefined => executable(join(directory, program));
  const [etcd, apiServer, kubectl] = [find('etcd'), find('kube-apiserver'), find('kubectl')];
  if (!etcd || !apiServer || !kubectl) {
    const remedy = assets ? 'it must hold etcd, kube-apiserver and kubectl' : '`npm run kube:build` builds it';
    return { missing: `no control plane in ${assets ? 'KUBEBUILDER_ASSETS' : 'the cache'} (${directory}): ${remedy}` };
  }
  const [controllerManager, scheduler, kwok] = [find('kube-controller-manager'), find('kube-scheduler'), find('kwok')];
  const helm = find('helm');
  return {
    etcd,
    apiServer,
    kubectl,
    ...(helm ? { helm } : {}),
    ...(controllerManager ? { controllerManager } : {}),
    ...(scheduler && kwok ? { pods: { scheduler, kwok } } : {}),
  };
}

/** Builds what the cache lacks; returns its directory. Throws when go is missing or fails (its output is inherited). */
export function buildBinaries(environment: NodeJS.ProcessEnv): string {
  const directory = cacheDirectory(environment);
  mkdirSync(directory, { recursive: true });
  for (const [program, source] of Object.entries(SOURCES)) {
    const target = join(directory, program);
    if (executable(target)) continue;
    console.log(`building ${program} …`);
    goBuild(source, target);
  }
  return directory;
}

function goBuild(source: { readonly module: string; readonly package: string }, target: string): void {
  // Built beside the target and renamed, so that an interrupted build is never taken for a program.
  const unfinished = `${target}.${process.pid}.part`;
  const version = 'k8s.io/component-base/version';
  const [major, minor] = KUBERNETES_VERSION.slice(1).split('.');
  const stamp =
    source.module === 'kubernetes'
      ? ` -X ${version}.gitVersion=${KUBERNETES_VERSION} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`
      : '';
  const result = spawnSync(
    'go',
    ['build', '-trimpath', '-ldflags', `-s -w${stamp}`, '-o', unfinished, source.package],
    {
      cwd: join(import.meta.dirname, 'modules', source.module),
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  if (result.error) throw new Error(`go could not be started (Go 1.26 is needed): ${result.error.message}`);
  if (result.status !== 0)
    throw new Error(`go build of ${source.package} ended with ${result.status ?? result.signal}`);
  renameSync(unfinished, target);
}

function executable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined; // absent or not executable: both mean "not there"
  }
}
