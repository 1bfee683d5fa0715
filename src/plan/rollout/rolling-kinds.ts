import type { ChildRule, CompositeDefinition } from '../../model/definition.ts';
import type { KubeObject } from '../../model/object.ts';
import { splitApiVersion } from '../../model/resource.ts';
import type { ParentView } from '../../model/view.ts';
import type { ChildKey } from './revision-children.ts';

export function isRolling({ updateMethod }: Pick<ChildRule, 'updateMethod'>): boolean {
  return updateMethod === 'RollingRecreate' || updateMethod === 'RollingInPlace';
}

/** The rules of the kinds that are updated one at a time. Versions of a kind share their rule, as they share their objects. */
export class RollingKinds {
  /** "Pod." and the like: kind and group. */
  readonly #rules: ReadonlyMap<string, ChildRule>;

  constructor(definition: CompositeDefinition, view: ParentView) {
    this.#rules = new Map(
      view.children.flatMap(({ type }, index) => {
        const rule = definition.children[index];
        return rule && isRolling(rule) ? [[`${type.kind}.${type.group}`, rule]] : [];
      }),
    );
  }

  ruleOf({ kind, apiVersion }: KubeObject): ChildRule | undefined {
    return this.#rules.get(`${kind}.${splitApiVersion(apiVersion).group}`);
  }

  includes(key: ChildKey): boolean {
    return this.#rules.has(key.slice(0, key.indexOf('/')));
  }
}
