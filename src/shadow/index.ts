export { foretell } from './foretell.ts';
export { Shadow } from './shadow.ts';
