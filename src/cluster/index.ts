// The door of cluster/: the Kubernetes client on plain JSON, real server or sandbox, and the caches over it.

export { type CacheOptions, createCache } from './cache/index.ts';
export { type ClientOptions, type ClusterClient, createClient } from './client/index.ts';
export { type Connection, type ConnectOptions, connect, environmentProxy } from './connection/index.ts';
