import {
  applyView,
  BaseCommand,
  clusterFlags,
  type ExitCode,
  exitCodeHelp,
  exitCodeOfApply,
  exitCodeOfPlan,
  installFlags,
  installOptionsOf,
  outputFlags,
  showPlan,
  writeFlags,
} from '../src/cli/index.ts';

export default class Install extends BaseCommand {
  static override summary = 'Install the CRDs and the daemon, or bring an installation up to date.';
  static override description =
    `Namespace, service account, roles, Deployment and, for more than one replica, a PodDisruptionBudget; applied as \`metactl apply\`
applies inputs: server-side, after the plan was shown and confirmed. A second run changes nothing.
With -f the daemon may do what the controllers of these definitions need. Without, it may do everything, as Metacontroller may.
The definitions themselves are not installed: kubectl apply does that.

${exitCodeHelp(['success', 'error', 'notSettled', 'stopped', 'interrupted', 'terminated'])}`;
  static override examples = [
    '<%= config.bin %> install --image registry.example.com/metactl:1 -f controllers/ --dry-run',
    '<%= config.bin %> install --image registry.example.com/metactl:1 --replicas 2 --yes',
  ];
  static override flags = { ...clusterFlags, ...outputFlags, ...writeFlags, ...installFlags };

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parse(Install);
    const { planInstall, runInstall } = await import('../src/app/index.ts');
    const options = installOptionsOf(flags, this.config.version);
    return this.inSession(flags, async (session) => {
      const view = applyView(session, { yes: flags.yes, argv: this.argv, command: 'install' });
      const { onProgress, environment } = session;
      const asked = { ...options, onProgress, confirm: view.confirm };
      if (flags['dry-run']) {
        const planned = await planInstall(asked, environment);
        await showPlan(planned, session);
        return exitCodeOfPlan(planned, { detailed: false });
      }
      const outcome = await runInstall(asked, environment);
      await view.show(outcome);
      return exitCodeOfApply(outcome, session.signalled());
    });
  }
}
