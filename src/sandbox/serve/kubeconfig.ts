/**
 * A kubeconfig, as YAML, whose only context is the sandbox at this URL, in namespace default. The sandbox asks for no
 * credentials; the user is there because some clients refuse a context without one.
 */
export function kubeconfigFor(url: string): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: metactl-sandbox
  cluster:
    server: ${JSON.stringify(url)}
users:
- name: metactl-sandbox
  user: {}
contexts:
- name: metactl-sandbox
  context:
    cluster: metactl-sandbox
    user: metactl-sandbox
    namespace: default
current-context: metactl-sandbox
`;
}
