export { type CacheOptions, createCache } from './cache.ts';
