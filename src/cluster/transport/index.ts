export { type CredentialSource, type Credentials, sameTls, type TlsOptions } from './credentials.ts';
export { createHttpTransport } from './http-transport.ts';
