export { foretell } from './foretell.ts';
export { type SeenWrite, seenWrites } from './seen-writes.ts';
export { Shadow } from './shadow.ts';
