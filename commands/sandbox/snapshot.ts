import { BaseCommand, directoryFlags, EXIT, type ExitCode, exitCodeHelp } from '../../src/cli/index.ts';

export default class SandboxSnapshot extends BaseCommand {
  static override summary = 'Print all objects of a sandbox directory as one JSON document.';
  static override description = `For \`sandbox restore\`. No other process may have the directory open.

${exitCodeHelp(['error'])}`;
  static override examples = ['<%= config.bin %> sandbox snapshot --sandbox-dir .sandbox/demo > before.json'];
  static override flags = directoryFlags;

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parse(SandboxSnapshot);
    const { snapshotSandbox } = await import('../../src/app/index.ts');
    return this.inSession({ ...flags, quiet: true }, async ({ streams, environment }) => {
      await streams.stdout.write(await snapshotSandbox(flags['sandbox-dir'], environment));
      return EXIT.success;
    });
  }
}
