// Both servers are done the same to; then their controllers are waited for until nothing is awaited on either and what
// they made is equal. Two servers that never come to that are told apart by the difference.

import { setTimeout as sleep } from 'node:timers/promises';
import { objectsAt } from '../../health/index.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  stringifyJson,
} from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { type Comparable, comparableObjects } from './comparable.ts';
import { configMap } from './objects.ts';
import type { ScenarioStep } from './scenario.ts';
import { awaited } from './settled.ts';
import { ask, create, patch, pathIn, remove, type Side, type World, worldOf } from './side.ts';

const WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

interface Look {
  readonly side: Side;
  readonly awaited: readonly string[];
  readonly made: Comparable;
}

type Sides = readonly [Side, Side];

/** Throws where the two do not come to the same within a minute. `before`: awaited between the step and the minute. */
export async function doAndCompare(
  step: ScenarioStep,
  sides: Sides,
  before: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  await Promise.all(sides.map((side) => step.act(side)));
  await before();
  await untilEqual(step.name, sides, (side) => look(step, side));
}

async function untilEqual(name: string, sides: Sides, look: (side: Side) => Promise<Look>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const [ours, real] = (await Promise.all(sides.map(look))) as [Look, Look];
    const done = ours.awaited.length === 0 && real.awaited.length === 0;
    if (done && jsonEqual(ours.made, real.made)) return;
    if (performance.now() > deadline) throw difference(name, ours, real);
    await sleep(LOOK_EVERY_MS);
  }
}

async function look({ done = () => true }: ScenarioStep, side: Side): Promise<Look> {
  const world: World = await worldOf(side);
  const step = done(world) ? [] : ['the effect of the step'];
  return { side, awaited: [...awaited(world), ...step], made: comparableObjects(world, side.namespace) };
}

const HELD = 'api/v1/configmaps';

/** Deletes the namespaces. An object with a finalizer holds them; what is said of that is compared, then it is let go. */
export async function endNamespaces(sides: Sides): Promise<void> {
  const held = configMap('held');
  const metadata = { name: 'held', finalizers: ['example.com/hold'] };
  await Promise.all(sides.map((side) => create(side, HELD, { ...held, metadata })));
  await Promise.all(sides.map((side) => remove(side, namespacePath(side))));
  await untilEqual('the namespace waits', sides, async (side) => {
    const namespace = await ask(side, 'GET', namespacePath(side));
    const waits = objectsAt(namespace, 'status', 'conditions').some(
      ({ type, status }) => type === 'NamespaceFinalizersRemaining' && status === 'True',
    );
    const made = comparableObjects({ namespaces: [namespace as KubeObject] }, side.namespace);
    return { side, awaited: waits ? [] : ['its conditions'], made };
  });
  await Promise.all(
    sides.map((side) => patch(side, pathIn(side, HELD, 'held'), { metadata: { finalizers: null } }, { type: 'merge' })),
  );
  await untilEqual('the namespace goes', sides, async (side) => {
    const { kind } = await ask(side, 'GET', namespacePath(side), { unless: [404] });
    const left = Object.values(await worldOf(side)).flat().length;
    return { side, awaited: kind === 'Status' && left === 0 ? [] : ['its end'], made: {} };
  });
}

const namespacePath = ({ namespace }: Side): string => `/api/v1/namespaces/${namespace}`;

function difference(name: string, ours: Look, real: Look): Error {
  for (const { side, awaited: left } of [ours, real])
    if (left.length > 0) return new Error(`${name}: after a minute ${side.name} still awaits: ${left.join('; ')}`);
  const lines = differences(ours.made as JsonObject, real.made as JsonObject, '');
  return new Error([`${name}: the sandbox's on the left, the real server's on the right`, ...lines].join('\n'));
}

/** "path: ours ≠ theirs", one line each. */
function differences(a: JsonValue | undefined, b: JsonValue | undefined, path: string): string[] {
  if (jsonEqual(a ?? null, b ?? null)) return [];
  if (isJsonArray(a) && isJsonArray(b) && a.length === b.length)
    return a.flatMap((item, index) => differences(item, b[index], `${path}[${index}]`));
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) => differences(a[key], b[key], `${path}.${key}`));
  }
  const shown = (value: JsonValue | undefined): string => (value === undefined ? 'nothing' : stringifyJson(value));
  return [`${path}: ${shown(a)} ≠ ${shown(b)}`];
}
