export { type CredentialSource, type Credentials, sameTls, type TlsOptions } from './credentials.ts';
export { createHttpTransport, createHttpTransports } from './http-transport.ts';
