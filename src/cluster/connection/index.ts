export { type Connection, type ConnectOptions, connect } from './connect.ts';
export { environmentProxy } from './proxy.ts';
