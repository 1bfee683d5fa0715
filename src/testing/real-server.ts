// The real API server of a test run. The test driver (tools/test.ts) starts one control plane for all test processes and
// says where it is in the environment; so does `npm run kube:start` for tests that are run by hand. Nothing is started here,
// and nothing is ever built: without a server the reason is given, and the tests that need it are skipped with it.

/** Every reason begins with this; the driver turns such skips into failures under METACTL_REQUIRE_KUBE=1. */
const NEEDS = 'needs the real API server';

export type RealServer =
  | {
      readonly available: true;
      /** Absolute paths. */
      readonly kubeconfig: string;
      /** kubectl of the server's version. */
      readonly kubectl: string;
      /** Garbage collection and workload controllers run. */
      readonly controllers: boolean;
      /** Pods are scheduled and become Ready at once. Needs `controllers`. */
      readonly pods: boolean;
    }
  | { readonly available: false; readonly reason: string };

export async function realServer(): Promise<RealServer> {
  return findRealServer(process.env);
}

/** The same at once, for the registration of tests. */
export function findRealServer(environment: NodeJS.ProcessEnv): RealServer {
  if (environment['METACTL_TEST_TARGET'] === 'sandbox') return unavailable('METACTL_TEST_TARGET=sandbox');
  const kubeconfig = environment['METACTL_REAL_KUBECONFIG'];
  const kubectl = environment['METACTL_REAL_KUBECTL'];
  if (!kubeconfig || !kubectl) {
    return unavailable(environment['METACTL_REAL_MISSING'] ?? '`npm test` or `npm run kube:start` starts one');
  }
  const features = environment['METACTL_REAL_FEATURES']?.split(',') ?? [];
  return {
    available: true,
    kubeconfig,
    kubectl,
    controllers: features.includes('controllers'),
    pods: features.includes('pods'),
  };
}

const unavailable = (why: string): RealServer => ({ available: false, reason: `${NEEDS}: ${why}` });
