import { BaseCommand, configJsonSchema, EXIT, type ExitCode } from '../../src/cli/index.ts';

export default class SchemaConfig extends BaseCommand {
  static override summary = 'Print the JSON Schema of configuration files, for editors.';
  static override examples = ['<%= config.bin %> schema config > metactl.schema.json'];

  override async run(): Promise<ExitCode> {
    await this.parse(SchemaConfig);
    await this.printJson(await configJsonSchema());
    return EXIT.success;
  }
}
