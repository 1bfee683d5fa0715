/** What a credential plugin or an auth provider gives. */
export interface PluginCredentials {
  /** The whole Authorization header. */
  readonly authorization?: string;
  /** PEM. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
  /** Epoch milliseconds from which they are no good any more; absent: until the server refuses them. */
  readonly expires?: number;
}
