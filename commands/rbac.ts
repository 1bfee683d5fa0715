import {
  BaseCommand,
  type ExitCode,
  exitCodeHelp,
  fileFlags,
  rightsFlags,
  rightsOptionsOf,
  showRights,
  writeFlags,
} from '../src/cli/index.ts';

export default class Rbac extends BaseCommand {
  static override summary = 'Print the roles that controllers need: what their definitions ask for, and no more.';
  static override description =
    `A ClusterRole for what is needed everywhere, a Role for each namespace that something is needed of: the daemon's own
(its Lease), those of the Secrets that webhooks refer to. -o text says what each right is for. No cluster is asked.
What customize hooks ask for can't be told from a definition: say it with --related. Inputs of an apply are not part of it.

${exitCodeHelp(['success', 'error'])}`;
  static override examples = [
    '<%= config.bin %> rbac -f controllers/ | kubectl apply -f -',
    '<%= config.bin %> rbac -f controllers/ --for plan --related configmaps -o text',
  ];
  static override flags = { ...fileFlags, ...writeFlags, ...rightsFlags };

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parse(Rbac);
    const { runRights } = await import('../src/app/index.ts');
    const options = rightsOptionsOf(flags);
    return this.inSession({ ...flags, output: [] }, async (session) => {
      const outcome = await runRights(options, session.environment);
      return showRights(outcome, flags.output, session);
    });
  }
}
