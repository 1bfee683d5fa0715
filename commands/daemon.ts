import {
  BaseCommand,
  clusterFlags,
  daemonFlags,
  daemonOptionsOf,
  type ExitCode,
  exitCodeHelp,
  fileFlags,
  hookFlags,
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

${exitCodeHelp(['error', 'interrupted', 'terminated'])}`;
  static override examples = [
    '<%= config.bin %> daemon --leader-election',
    '<%= config.bin %> daemon -f controllers/ --context staging --zap-encoder console',
  ];
  static override flags = { ...fileFlags, ...clusterFlags, ...hookFlags, ...writeFlags, ...daemonFlags };

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parse(Daemon);
    const { runDaemon } = await import('../src/app/index.ts');
    // What it has to say is its log.
    return this.inSession({ ...flags, quiet: true }, async (session) => {
      await warnOfIdleFlags(flags, session);
      const outcome = await runDaemon(daemonOptionsOf(flags), session.environment);
      return showDaemonOutcome(outcome, session);
    });
  }
}
