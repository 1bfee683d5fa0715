import {
  BaseCommand,
  clusterFlags,
  daemonFlags,
  daemonOptionsOf,
  type ExitCode,
  exitCodeHelp,
  fileFlags,
  hookFlags,
  shadowFlags,
  shadowOptionsOf,
  showDaemonOutcome,
  warnOfIdleFlags,
  writeFlags,
} from '../src/cli/index.ts';

export default class Daemon extends BaseCommand {
  static override summary = 'Run controllers for as long as the process lives: in the place of Metacontroller.';
  static override description =
    `Without -f the controllers are the objects of the cluster (CompositeController and its kin): they
come, change and go while it runs. With -f they are the definitions of the files. Metacontroller's flags are taken by
their names, with one dash too. Hooks that are programs are not run unless --allow-local-hooks says so.

With --shadow it runs beside the one at work, a Metacontroller or another daemon: it plans and calls hooks, takes no Lease,
writes nothing, and reports on stdout, and at /shadow of --metrics-address, how well it would have foretold what is written.

${exitCodeHelp(['error', 'interrupted', 'terminated'])}`;
  static override examples = [
    '<%= config.bin %> daemon --leader-election',
    '<%= config.bin %> daemon -f controllers/ --context staging --zap-encoder console',
    '<%= config.bin %> daemon --shadow --shadow-for 1h -o json=shadow.json',
  ];
  static override flags = {
    ...fileFlags,
    ...clusterFlags,
    ...hookFlags,
    ...writeFlags,
    ...daemonFlags,
    ...shadowFlags,
  };

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parse(Daemon);
    const { runDaemon } = await import('../src/app/index.ts');
    // What it has to say is its log.
    return this.inSession({ ...flags, quiet: true }, async (session) => {
      await warnOfIdleFlags(flags, session);
      const options = { ...daemonOptionsOf(flags, this.config.version), ...shadowOptionsOf(flags) };
      const outcome = await runDaemon(options, session.environment);
      return showDaemonOutcome(outcome, session);
    });
  }
}
