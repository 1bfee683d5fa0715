/** Under which dynamic apply writes, and wrote: Metacontroller's own name among them, as its children are taken over. */
export function ourManagers(fieldManager: string): readonly string[] {
  return [...new Set(['metactl', 'metacontroller', fieldManager])];
}
