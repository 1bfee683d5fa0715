export { type Fault, type FaultPlan, faultOn } from './fault.ts';
export { FaultyTransport } from './faulty-transport.ts';
