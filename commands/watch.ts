import {
  BaseCommand,
  clusterFlags,
  configFlags,
  type ExitCode,
  exitCodeHelp,
  guardFlags,
  hookFlags,
  inputFlags,
  openWatchView,
  showWatchOutcome,
  watchFlags,
  watchOptionsOf,
  writeFlags,
} from '../src/cli/index.ts';

export default class Watch extends BaseCommand {
  static override summary = 'Plan again, or apply, whenever a file, a hook or the cluster changes.';
  static override description =
    `Prints the plan, and then what differs from the last one each time that something changes. An
error in a file or in a hook is shown with its place, and it goes on. Ctrl-C ends it: what is being written is finished.

${exitCodeHelp(['error', 'interrupted', 'terminated'])}`;
  static override examples = [
    '<%= config.bin %> watch -f examples/catset --sandbox --apply',
    '<%= config.bin %> watch -f controllers/ --context kind-dev',
  ];
  static override flags = {
    ...inputFlags,
    ...clusterFlags,
    ...configFlags,
    ...guardFlags,
    ...hookFlags,
    ...writeFlags,
    ...watchFlags,
  };

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parseConfigured(Watch);
    const { runWatch, watchNodeFiles } = await import('../src/app/index.ts');
    // Progress has its place in the view.
    return this.inSession({ ...flags, quiet: true }, async (session) => {
      const { environment } = session;
      const view = await openWatchView(session, flags.quiet);
      const options = {
        ...watchOptionsOf(flags),
        watchFiles: (watching: Parameters<typeof watchNodeFiles>[0]) => watchNodeFiles(watching, environment.clock),
        onReport: view.report.bind(view),
        onProgress: view.progress.bind(view),
      };
      return showWatchOutcome(await runWatch(options, environment), view, session);
    });
  }
}
