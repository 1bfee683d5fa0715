export { rightsOf } from './rights.ts';
export type { RightsOptions } from './rights-options.ts';
export { type RoleOptions, type Rule, rolesOf, roleWithBinding, sumRights } from './roles.ts';
