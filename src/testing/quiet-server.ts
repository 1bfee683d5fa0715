// A real API server of a test's own, without controllers: nothing but the test's requests changes anything. It ends with
// the process. Where only a server started by hand is known (its programs are not here), that one is taken.

import { findBinaries } from '../../tools/kube/binaries.ts';
import { controlPlaneForThisRun } from '../../tools/kube/for-a-run.ts';

/** The path of its kubeconfig. `given`: of the server by hand. */
export async function quietServer(given: string): Promise<string> {
  const binaries = findBinaries(process.env);
  if ('missing' in binaries) return given;
  const { etcd, apiServer, kubectl } = binaries;
  return (await controlPlaneForThisRun({ etcd, apiServer, kubectl })).kubeconfig;
}
