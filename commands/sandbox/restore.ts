import { BaseCommand, EXIT, type ExitCode, exitCodeHelp, restoreFlags } from '../../src/cli/index.ts';

export default class SandboxRestore extends BaseCommand {
  static override summary = 'Take a sandbox directory back to a snapshot.';
  static override description =
    `What differs is written, deleted or made again; resourceVersions go on growing. The directory may also be new. No
other process may have it open.

${exitCodeHelp(['error'])}`;
  static override examples = ['<%= config.bin %> sandbox restore --sandbox-dir .sandbox/demo --snapshot before.json'];
  static override flags = restoreFlags;

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parse(SandboxRestore);
    const { restoreSandbox } = await import('../../src/app/index.ts');
    return this.inSession({ ...flags, quiet: true }, async ({ environment }) => {
      await restoreSandbox({ directory: flags['sandbox-dir'], file: flags.snapshot }, environment);
      return EXIT.success;
    });
  }
}
