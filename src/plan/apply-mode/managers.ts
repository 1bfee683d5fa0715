/** Under which dynamic apply writes, and wrote: Metacontroller's own name among them, as its children are taken over. */
export function ourManagers(fieldManager: string): readonly string[] {
  return [...new Set(['metactl', 'metacontroller', fieldManager])];
}

/** `kubectl apply` without --server-side writes under this name, and keeps its record in this annotation. */
export const KUBECTL_APPLY = {
  manager: 'kubectl-client-side-apply',
  annotation: 'kubectl.kubernetes.io/last-applied-configuration',
} as const;
