import { Flags } from '@oclif/core';
import {
  applyFlags,
  BaseCommand,
  clusterFlags,
  configFlags,
  EXIT,
  type ExitCode,
  guardFlags,
  inputFlags,
  optional,
  outputFlags,
  showConfig,
  withVariables,
} from '../src/cli/index.ts';

export default class Config extends BaseCommand {
  static override summary =
    'Print the effective configuration: what plan and apply would take from flags, variables and files.';
  static override description =
    `A flag beats its variable, which beats the chosen profile, which beats the project's file, which beats the user's.`;
  static override examples = [
    '<%= config.bin %> config --show-origin',
    '<%= config.bin %> config --profile staging -o json',
  ];
  static override flags = {
    ...configFlags,
    ...clusterFlags,
    file: optional(inputFlags.file),
    'show-unchanged': outputFlags['show-unchanged'],
    'max-deletes': guardFlags['max-deletes'],
    timeout: applyFlags.timeout,
    wait: applyFlags.wait,
    ...withVariables({
      'show-origin': Flags.boolean({ summary: 'Say which flag, variable or file each value came from.' }),
    }),
    // Not METACTL_OUTPUT: that is the format of plans, and a value to be shown here.
    output: Flags.option({ options: ['yaml', 'json'] as const, default: 'yaml' })({
      char: 'o',
      summary: 'Format.',
    }),
  };

  override async run(): Promise<ExitCode> {
    const { flags, effective } = await this.parseConfigured(Config);
    await showConfig(
      effective,
      { showOrigin: flags['show-origin'] === true, format: flags.output },
      this.streams.stdout,
    );
    return EXIT.success;
  }
}
