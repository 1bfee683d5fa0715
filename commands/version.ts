import { BaseCommand, EXIT, type ExitCode } from '../src/cli/index.ts';

export default class Version extends BaseCommand {
  static override summary = 'Print the versions of metactl and of Node.';

  override async run(): Promise<ExitCode> {
    await this.parse(Version);
    await this.streams.stdout.write(`${this.config.userAgent}\n`);
    return EXIT.success;
  }
}
