import { BaseCommand, EXIT, type ExitCode } from '../../src/cli/index.ts';

export default class SchemaDefinition extends BaseCommand {
  static override summary = 'Print the JSON Schema of controller definitions, for editors.';
  static override examples = ['<%= config.bin %> schema definition > definition.schema.json'];

  override async run(): Promise<ExitCode> {
    await this.parse(SchemaDefinition);
    const { definitionSchema } = await import('../../src/app/index.ts');
    await this.printJson(await definitionSchema());
    return EXIT.success;
  }
}
