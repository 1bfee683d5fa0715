import { BaseCommand, EXIT, type ExitCode } from '../../src/cli/index.ts';

export default class SchemaPlan extends BaseCommand {
  static override summary = 'Print the JSON Schema of plans, as plan -o json writes them.';
  static override examples = ['<%= config.bin %> schema plan > plan.v1.schema.json'];

  override async run(): Promise<ExitCode> {
    await this.parse(SchemaPlan);
    const { planSchema } = await import('../../src/app/index.ts');
    await this.printJson(await planSchema());
    return EXIT.success;
  }
}
