import { Flags } from '@oclif/core';
import {
  BaseCommand,
  clusterFlags,
  configFlags,
  type ExitCode,
  exitCodeHelp,
  exitCodeOfPlan,
  guardFlags,
  hookFlags,
  inputFlags,
  outputFlags,
  planOptionsOf,
  showPlan,
  withVariables,
  writeFlags,
} from '../src/cli/index.ts';

export default class Plan extends BaseCommand {
  static override summary = 'Show what apply would do; write nothing.';
  static override description = `Reads definitions and inputs, asks the hooks, and prints every change with its reason.

${exitCodeHelp(['success', 'error', 'changes', 'stopped', 'interrupted', 'terminated'])}`;
  static override examples = [
    '<%= config.bin %> plan -f examples/catset --sandbox',
    '<%= config.bin %> plan -f deploy/ --context staging --detailed-exitcode -o json=plan.json',
  ];
  static override flags = {
    ...inputFlags,
    ...clusterFlags,
    ...configFlags,
    ...outputFlags,
    ...guardFlags,
    ...hookFlags,
    ...writeFlags,
    ...withVariables({
      'detailed-exitcode': Flags.boolean({ summary: 'Exit with 2 when there is something to change.' }),
    }),
  };

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parseConfigured(Plan);
    const { runPlan } = await import('../src/app/index.ts');
    return this.inSession(flags, async (session) => {
      const { onProgress, environment } = session;
      const outcome = await runPlan({ ...planOptionsOf(flags), onProgress }, environment);
      await showPlan(outcome, session);
      return session.signalled() ?? exitCodeOfPlan(outcome, { detailed: flags['detailed-exitcode'] });
    });
  }
}
