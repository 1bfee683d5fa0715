// The JSON Schema of configuration files, made from the table of settings: what the validation compiles and
// `metactl schema config` prints.

import type { FieldSchema } from '../../app/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { SETTINGS } from './settings.ts';

const settings = Object.fromEntries(SETTINGS.map(({ key, schema }) => [key, schema]));

const profile: FieldSchema = {
  type: 'object',
  description: 'Settings that beat the others when the profile is chosen.',
  properties: settings,
  additionalProperties: false,
};

export const configSchema: FieldSchema = {
  type: 'object',
  description:
    'What flags would say each time. A flag beats its variable, which beats a profile, which beats the rest.',
  properties: {
    $schema: { type: 'string', description: 'For editors.' },
    $import: {
      type: 'array',
      description: 'Other files, relative to this one; what is said here beats them, a later one an earlier one.',
      items: { type: 'string', description: 'One path.', minLength: 1 },
    },
    ...settings,
    profiles: {
      type: 'object',
      description: 'By name, for `--profile NAME`.',
      additionalProperties: profile,
    },
  },
  additionalProperties: false,
};

/** For editors. */
export function configJsonSchema(): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of metactl',
    ...(configSchema as unknown as JsonObject),
  };
}
