import {
  applyView,
  BaseCommand,
  clusterFlags,
  configFlags,
  type ExitCode,
  exitCodeHelp,
  exitCodeOfApply,
  outputFlags,
  uninstallFlags,
  uninstallOptionsOf,
} from '../src/cli/index.ts';

export default class Uninstall extends BaseCommand {
  static override summary = 'Take the finalizers of controllers off all parents, when the controllers go.';
  static override description =
    `A parent whose controller is gone and whose finalizer is not would never be deleted. Nothing else is written: children,
parents and the controllers themselves stay as they are. Stop the controllers first; no finalize hook is asked.

${exitCodeHelp(['success', 'error', 'stopped', 'interrupted', 'terminated'])}`;
  static override examples = [
    '<%= config.bin %> uninstall -f controller.yaml --context staging',
    '<%= config.bin %> uninstall --controller catset-controller --yes',
  ];
  static override flags = { ...uninstallFlags, ...clusterFlags, ...configFlags, ...outputFlags };

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parseConfigured(Uninstall);
    const { runUninstall } = await import('../src/app/index.ts');
    const options = uninstallOptionsOf(flags);
    return this.inSession(flags, async (session) => {
      const view = applyView(session, { yes: flags.yes, argv: this.argv, command: 'uninstall' });
      const { onProgress, environment } = session;
      const outcome = await runUninstall({ ...options, onProgress, confirm: view.confirm }, environment);
      await view.show(outcome);
      return exitCodeOfApply(outcome, session.signalled());
    });
  }
}
