// A definition as it was written, after the schema of its kind found the shapes right: the fields of all kinds, as most mean
// the same in each. Everything is optional: the rules also look at definitions of which broken parts were cut out
// (validate.ts), so that all problems are told at once.

export interface GivenDefinition {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly spec?: GivenSpec;
}
export interface GivenSpec {
  readonly parentResource?: GivenParent;
  readonly childResources?: Items<GivenChild>;
  readonly resources?: Items<GivenDecorated>;
  readonly attachments?: Items<GivenChild>;
  readonly inputResources?: Items<GivenResource>;
  readonly outputResources?: Items<GivenChild>;
  readonly hooks?: Readonly<Record<string, GivenHook | undefined>>;
  readonly resyncPeriodSeconds?: number;
  readonly generateSelector?: boolean;
  readonly endpointConfigs?: Items<GivenEndpointConfig>;
  readonly apply?: GivenApply;
}
export interface GivenApply {
  readonly mode?: 'dynamic' | 'server-side';
  readonly fieldManager?: string;
  readonly omittedMetadata?: 'keep' | 'remove';
  readonly conflicts?: Items<{
    readonly path?: string;
    readonly manager?: string;
    readonly action?: 'ignore' | 'force' | 'fail';
  }>;
}
/** Items that were cut out are undefined, so that the others keep their index. */
export type Items<T> = readonly (T | undefined)[];

export interface GivenResource {
  readonly apiVersion?: string;
  readonly resource?: string;
}
export interface GivenParent extends GivenResource {
  readonly revisionHistory?: { readonly fieldPaths?: Items<string>; readonly namespace?: string };
  readonly labelSelector?: GivenSelector;
  readonly ignoreStatusChanges?: boolean;
}
export interface GivenDecorated extends GivenResource {
  readonly labelSelector?: GivenSelector;
  readonly annotationSelector?: GivenAnnotationSelector;
  readonly ignoreStatusChanges?: boolean;
}
export interface GivenAnnotationSelector {
  readonly matchAnnotations?: Readonly<Record<string, string | undefined>>;
  readonly matchExpressions?: Items<GivenRequirement>;
}
export interface GivenSelector {
  readonly matchLabels?: Readonly<Record<string, string | undefined>>;
  readonly matchExpressions?: Items<GivenRequirement>;
}
export interface GivenRequirement {
  readonly key?: string;
  readonly operator?: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: Items<string>;
}
export interface GivenChild extends GivenResource {
  readonly updateStrategy?: {
    readonly method?: 'OnDelete' | 'Recreate' | 'InPlace' | 'RollingRecreate' | 'RollingInPlace';
    readonly statusChecks?: { readonly conditions?: Items<GivenCondition> };
  };
}
export interface GivenCondition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
}
export interface GivenHook {
  readonly version?: 'v1' | 'v2';
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | 'Unknown';
  readonly webhook?: GivenWebhook;
  readonly exec?: GivenExec;
  readonly module?: GivenModule;
  readonly jsonnet?: GivenJsonnet;
}
export interface GivenCall {
  readonly timeout?: string;
  readonly responseUnMarshallMode?: 'loose' | 'strict';
}
export interface GivenWebhook extends GivenCall, GivenSecurity {
  readonly url?: string;
  readonly path?: string;
  readonly service?: GivenService;
  readonly etag?: {
    readonly enabled?: boolean;
    readonly cacheTimeoutSeconds?: number;
    readonly cacheCleanupSeconds?: number;
  };
}
export interface GivenSecurity {
  readonly caBundle?: {
    readonly inline?: string;
    readonly secretRef?: GivenReference;
    readonly configMapRef?: GivenReference;
  };
  readonly clientTLS?: {
    readonly secretRef?: GivenReference;
    readonly certKey?: string;
    readonly privateKeyKey?: string;
  };
  readonly authorization?: { readonly type?: string; readonly secretRef?: GivenReference };
  readonly basicAuth?: {
    readonly secretRef?: GivenReference;
    readonly usernameKey?: string;
    readonly passwordKey?: string;
  };
}
export interface GivenReference {
  readonly name?: string;
  readonly namespace?: string;
  readonly key?: string;
}
export interface GivenEndpointConfig extends GivenSecurity {
  readonly host?: string;
}
export interface GivenService {
  readonly name?: string;
  readonly namespace?: string;
  readonly port?: number;
  readonly protocol?: string;
}
export interface GivenExec extends GivenCall {
  readonly command?: Items<string>;
  readonly mode?: 'once' | 'stream';
  readonly env?: Readonly<Record<string, string | undefined>>;
}
export interface GivenJsonnet extends GivenCall {
  readonly path?: string;
  readonly importPaths?: Items<string>;
}
export interface GivenModule extends GivenCall {
  readonly path?: string;
  readonly export?: string;
}
