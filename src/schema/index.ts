export { schemaOfVersion } from './crd.ts';
export { applyDefaults } from './defaults.ts';
