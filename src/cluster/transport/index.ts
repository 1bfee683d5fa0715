export { type CredentialSource, type Credentials, sameTls, type TlsOptions } from './credentials.ts';
export { createHttpTransport, type HttpTransportOptions } from './http-transport.ts';
