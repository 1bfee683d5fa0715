import {
  BaseCommand,
  type ExitCode,
  exitCodeHelp,
  initArgs,
  initFlags,
  initOptionsOf,
  showInit,
} from '../src/cli/index.ts';

export default class Init extends BaseCommand {
  static override summary = 'Make a directory with a new controller that runs as it stands.';
  static override description =
    `Custom resource definition, controller, hook with its test, an object to try it on, and a README with the commands. A directory
that is there and not empty is left as it is.

${exitCodeHelp(['success', 'error'])}`;
  static override examples = [
    '<%= config.bin %> init composite web-app',
    '<%= config.bin %> init decorator exposer --lang python --group ops.example.com --dir controllers/exposer',
  ];
  static override args = initArgs;
  static override flags = initFlags;

  override async run(): Promise<ExitCode> {
    const { args, flags } = await this.parse(Init);
    const { initController } = await import('../src/app/index.ts');
    const options = initOptionsOf(args, flags);
    return this.inSession({ ...flags, quiet: true }, async (session) =>
      showInit(await initController(options), options, session),
    );
  }
}
