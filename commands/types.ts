import { BaseCommand, type ExitCode, exitCodeHelp, showTypes, typesFlags, typesOptionsOf } from '../src/cli/index.ts';

export default class Types extends BaseCommand {
  static override summary = 'Print TypeScript types of the kinds that CustomResourceDefinitions define, for hooks.';
  static override description =
    `One interface for each version that is served, with what its schema says: descriptions, required fields, enumerations.
The module takes \`Metadata\` from metactl. A file that -o names is made again only if it was made so.

${exitCodeHelp(['success', 'error'])}`;
  static override examples = [
    '<%= config.bin %> types -f crd.yaml -o web.ts',
    'kubectl get crd webs.example.com -o yaml | <%= config.bin %> types -f - --version v1',
  ];
  static override flags = typesFlags;

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parse(Types);
    const { makeTypes } = await import('../src/app/index.ts');
    return this.inSession({ ...flags, output: undefined, quiet: true }, async (session) =>
      showTypes(await makeTypes(typesOptionsOf(flags), session.environment), flags.output, session),
    );
  }
}
