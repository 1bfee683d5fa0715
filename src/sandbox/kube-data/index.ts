export { allSchemas, type ComponentSchemas, schemaName, schemasOf } from './schemas.ts';
