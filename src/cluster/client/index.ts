export { type ClientOptions, type ClusterClient, createClient } from './client.ts';
