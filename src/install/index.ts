export { type InstallOptions, LEASE_NAME, manifestsOf } from './manifests.ts';
export { rightsOf } from './rights.ts';
export type { Purpose, RightsOptions } from './rights-options.ts';
export { type RoleOptions, type Rule, rolesOf, sumRights } from './roles.ts';
