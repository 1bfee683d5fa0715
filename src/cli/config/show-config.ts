import { stringifyJson } from '../../kit/json.ts';
import type { TextSink } from '../streams.ts';
import type { EffectiveValue } from './effective.ts';

/** The effective configuration, as data. */
export async function showConfig(
  effective: readonly EffectiveValue[],
  options: { readonly showOrigin: boolean; readonly format: 'yaml' | 'json' },
  stdout: TextSink,
): Promise<void> {
  const { printYaml } = await import('../../app/index.ts');
  const { describeEffective } = await import('./effective.ts');
  const document = describeEffective(effective, options.showOrigin);
  await stdout.write(options.format === 'json' ? `${stringifyJson(document, 2)}\n` : await printYaml(document));
}
