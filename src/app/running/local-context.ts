// May a watch write there? To clusters on the user's own machine, which their tools name; to the sandbox; and to contexts
// that the user has listed. An address on the loopback says nothing: it may be a tunnel to anywhere.

import type { Target } from '../../model/plan.ts';

const NAMES: ReadonlySet<string> = new Set(
  'minikube docker-desktop docker-for-desktop orbstack rancher-desktop colima microk8s crc-admin crc-developer'.split(
    ' ',
  ),
);
/** kind-NAME, k3d-NAME, colima-PROFILE, and the users' own forms of these. */
const PREFIXES = ['kind-', 'k3d-', 'colima-', 'limactl-', 'vcluster-docker_'];

export function mayBeWritten({ kind, name }: Target, allowed: readonly string[]): boolean {
  if (kind === 'sandbox') return true;
  if (name === undefined) return false;
  return NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix)) || allowed.includes(name);
}
