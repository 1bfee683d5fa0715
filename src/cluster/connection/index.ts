export { type Connection, type ConnectOptions, connect } from './connect.ts';
