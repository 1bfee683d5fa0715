import {
  BaseCommand,
  EXIT,
  type ExitCode,
  exitCodeHelp,
  serveFlags,
  serveOptionsOf,
  writeSandboxKubeconfig,
} from '../../src/cli/index.ts';

export default class SandboxServe extends BaseCommand {
  static override summary = 'Serve the sandbox over HTTP on this machine, for kubectl and other clients.';
  static override description = `Prints the URL on stdout when it listens, and runs until SIGINT or SIGTERM. There is no
authentication: it listens on the loopback address only.

${exitCodeHelp(['error', 'interrupted', 'terminated'])}`;
  static override examples = [
    '<%= config.bin %> sandbox serve --sandbox-dir .sandbox/demo --write-kubeconfig .sandbox/kubeconfig',
  ];
  static override flags = serveFlags;

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parse(SandboxServe);
    const { serveSandboxUntilStopped } = await import('../../src/app/index.ts');
    // It has nothing to report but its address.
    return this.inSession({ ...flags, quiet: true }, async ({ streams, environment, signalled }) => {
      const kubeconfig = flags['write-kubeconfig'];
      const onListening = async (url: string): Promise<void> => {
        if (kubeconfig !== undefined) await writeSandboxKubeconfig(kubeconfig, url, streams.stderr);
        await streams.stdout.write(`${url}\n`);
      };
      await serveSandboxUntilStopped({ ...serveOptionsOf(flags), onListening }, environment);
      return signalled() ?? EXIT.success;
    });
  }
}
