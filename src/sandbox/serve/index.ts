export { kubeconfigFor } from './kubeconfig.ts';
export { type Served, type ServeOptions, serveSandbox } from './server.ts';
