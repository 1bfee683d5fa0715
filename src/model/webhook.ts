// How a webhook is called, beyond its url. References are names only: what they lead to is read when the hook is called.

export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** Certificates (PEM) that the server is checked against instead of the system's. */
export type CaBundle =
  | { readonly kind: 'inline'; readonly pem: string }
  | ({ readonly kind: 'Secret' | 'ConfigMap'; readonly key: string } & ObjectName);

/** The client certificate that is shown to the server. */
export interface ClientTls {
  readonly secret: ObjectName;
  readonly certKey: string;
  readonly privateKeyKey: string;
}

/** What the Authorization header is made of. */
export type HookCredentials =
  | { readonly kind: 'authorization'; readonly type: string; readonly secret: ObjectName; readonly key: string }
  | {
      readonly kind: 'basic';
      readonly secret: ObjectName;
      readonly usernameKey: string;
      readonly passwordKey: string;
    };

export interface EtagCaching {
  /** How long an answer may be used again. Absent: until there is no more room for it. */
  readonly timeoutMs?: number;
  /** How often answers that are too old are dropped. Absent: when they are come across. */
  readonly cleanupMs?: number;
}

/** A webhook's own, or that of the endpoint config whose host is the webhook's. */
export interface WebhookSecurity {
  readonly caBundle?: CaBundle;
  readonly clientTls?: ClientTls;
  readonly credentials?: HookCredentials;
}
