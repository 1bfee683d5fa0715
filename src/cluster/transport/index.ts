export { type CredentialSource, type Credentials, sameTls, type TlsOptions } from './credentials.ts';
export { createHttpTransports } from './http-transport.ts';
