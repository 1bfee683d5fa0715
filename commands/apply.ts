import {
  applyFlags,
  applyView,
  BaseCommand,
  clusterFlags,
  configFlags,
  type ExitCode,
  exitCodeHelp,
  exitCodeOfApply,
  guardFlags,
  hookFlags,
  inputFlags,
  outputFlags,
  planOptionsOf,
  writeFlags,
} from '../src/cli/index.ts';

export default class Apply extends BaseCommand {
  static override summary = 'Plan, ask, and carry the plan out until everything has settled.';
  static override description =
    `Applies the inputs first (CRDs, namespaces, the rest, parents), then does what the hooks ask for, step by step.
Interrupted, it finishes the write in flight and says what was done.

${exitCodeHelp(['success', 'error', 'notSettled', 'stopped', 'interrupted', 'terminated'])}`;
  static override examples = [
    '<%= config.bin %> apply -f examples/catset --sandbox-dir .sandbox/demo --yes',
    '<%= config.bin %> apply -f deploy/ --context staging --timeout 5m',
  ];
  static override flags = {
    ...inputFlags,
    ...clusterFlags,
    ...configFlags,
    ...outputFlags,
    ...guardFlags,
    ...hookFlags,
    ...writeFlags,
    ...applyFlags,
  };

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parseConfigured(Apply);
    const { runApply } = await import('../src/app/index.ts');
    return this.inSession(flags, async (session) => {
      const view = applyView(session, { yes: flags.yes, argv: this.argv, command: 'apply' });
      const { onProgress, environment } = session;
      const { timeout: timeoutMs, wait } = flags;
      const options = { ...planOptionsOf(flags), onProgress, confirm: view.confirm, timeoutMs, wait };
      const outcome = await runApply(options, environment);
      await view.show(outcome);
      return exitCodeOfApply(outcome, session.signalled());
    });
  }
}
