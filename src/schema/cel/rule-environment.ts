// Two environments for rules: one without types, in which they are evaluated, and one for each schema that has rules, in which
// they are checked when a CRD is written.

import { Environment } from '@marcbachmann/cel-js';
import type { Structural } from '../structural/structural.ts';
import { registerKubernetes } from './functions/index.ts';
import { ruleFields, ruleName, ruleType } from './rule-values.ts';

function base(): Environment {
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: true });
  registerKubernetes(environment);
  return environment;
}

const BASE = base();

/** Everything is dyn: what a rule is given has been shaped by the schema. */
export const EVALUATION = BASE.clone().registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');

/** Names of functions and methods; what else a rule calls can't be evaluated. */
export const KNOWN_FUNCTIONS: ReadonlySet<string> = new Set(BASE.getDefinitions().functions.map(({ name }) => name));

export function checkEnvironment(
  schema: Structural,
  options: { isResource: boolean; optionalOld: boolean },
): Environment {
  const environment = BASE.clone();
  const types = new Types(environment);
  const self = types.nameOf(schema, options.isResource) ?? 'dyn';
  return environment
    .registerVariable('self', self)
    .registerVariable('oldSelf', options.optionalOld ? `optional<${self}>` : self);
}

class Types {
  readonly #environment: Environment;
  #count = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The name of a schema's type, registered; undefined where rules can't reach it. */
  nameOf(schema: Structural, isResource = false): string | undefined {
    const type = ruleType(schema);
    if (type === 'list') {
      const item = schema.items && this.nameOf(schema.items);
      return item && `list<${item}>`;
    }
    if (type === 'map') {
      const value = typeof schema.additional === 'object' ? this.nameOf(schema.additional) : undefined;
      return value && `map<string, ${value}>`;
    }
    if (type === 'object') return this.#register(schema, isResource);
    if (type === 'timestamp') return 'google.protobuf.Timestamp';
    return type === 'duration' ? 'google.protobuf.Duration' : type;
  }

  #register(schema: Structural, isResource: boolean): string {
    const fields: Record<string, string> = {};
    for (const [property, field] of ruleFields(schema, isResource)) {
      const name = ruleName(property);
      const type = name === undefined ? undefined : this.nameOf(field);
      if (name !== undefined && type !== undefined) fields[name] = type;
    }
    const name = `selfType${++this.#count}`;
    this.#environment.registerType(name, { fields });
    return name;
  }
}
