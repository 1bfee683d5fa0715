export { type ArrivingBody, type Exchanged, exchange } from './exchange.ts';
