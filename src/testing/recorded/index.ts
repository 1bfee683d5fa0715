// The recorded suite: requests (groups/), how they are sent, and how answers are compared.

export type { RecordedCase, RecordedGroup } from './case.ts';
export type { Compared, RecordedAnswer } from './comparable.ts';
export { RECORDED_GROUPS } from './groups/index.ts';
export { type Answers, createGroupNamespace, sendGroup } from './send.ts';
