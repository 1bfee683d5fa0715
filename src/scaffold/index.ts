export { scaffoldFiles } from './files.ts';
export {
  CONTROLLER_KINDS,
  type ControllerKindName,
  groupProblem,
  LANGUAGES,
  type Language,
  nameProblem,
  type ScaffoldOptions,
} from './names.ts';
