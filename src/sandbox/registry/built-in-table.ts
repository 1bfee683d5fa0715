/** The shape of the generated table of built-in resources. */
export interface BuiltInGroup {
  readonly group: string;
  readonly versions: readonly { readonly version: string; readonly resources: readonly BuiltInResource[] }[];
}
export interface BuiltInResource {
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly string[];
  /** Absent: everything. */
  readonly verbs?: readonly string[];
}
