// The server does not store every value as it was given: "1000m" becomes "1", an empty list goes, a default comes into a
// structure that is applied in one piece. What it is known to do alike on every write is told here. It is asked only where
// we own exactly what we want to apply: what the live object lacks of that, or has more, was made so when we applied it.

import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import {
  type KindType,
  type MapType,
  type MergeSchema,
  QUANTITY,
  sameQuantity,
  type TypeRef,
} from '../../schema/index.ts';

/** `after`, in whatever the server is known to write in its own way, as `before` has it. */
export function storedAs(after: JsonObject, before: JsonObject, { schema, type }: KindType): JsonObject {
  const isBuiltIn = type.named?.startsWith(BUILT_IN) === true;
  return visit({ schema, isBuiltIn }, type, after, before) as JsonObject;
}

interface Walk {
  readonly schema: MergeSchema;
  /** The kind itself: metadata of custom resources is kept in another way. */
  readonly isBuiltIn: boolean;
}

const BUILT_IN = 'io.k8s.api.';
const CORE = `${BUILT_IN}core.v1.`;

/** Text and flags that are no pointers in Go: "", 0 and false are not written. Of pointers they are. */
const NOT_WRITTEN: Readonly<Record<string, readonly string[]>> = {
  [`${CORE}EnvVar`]: ['value'],
  [`${BUILT_IN}scheduling.v1.PriorityClass`]: ['globalDefault'],
};

type Default = JsonValue | ((object: JsonObject) => JsonValue | undefined);

/** What comes into structures that may stand inside of an atomic value. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, Default>>>> = {
  [`${CORE}ObjectFieldSelector`]: { apiVersion: 'v1' },
  [`${CORE}ResourceFieldSelector`]: { divisor: '0' },
  [`${CORE}ServiceAccountTokenProjection`]: { expirationSeconds: 3600 },
  [`${CORE}PersistentVolumeClaim`]: {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    status: { phase: 'Pending' },
  },
  [`${CORE}PersistentVolumeClaimSpec`]: { volumeMode: 'Filesystem' },
  [`${BUILT_IN}networking.v1.NetworkPolicyPort`]: { protocol: 'TCP' },
  [`${BUILT_IN}rbac.v1.Subject`]: {
    apiGroup: ({ kind }) => (kind === 'User' || kind === 'Group' ? 'rbac.authorization.k8s.io' : undefined),
  },
};

function visit(walk: Walk, type: TypeRef | undefined, after: JsonValue, before: JsonValue | undefined): JsonValue {
  if (type === undefined || before === undefined || after === before) return after;
  if (type.named === QUANTITY) return sameQuantity(after, before) ? before : after;
  const atom = walk.schema.resolve(type);
  // Of what may be anything nothing is known.
  if (atom?.scalar === 'untyped') return after;
  if (isJsonObject(after) && isJsonObject(before) && atom?.map)
    return visitMap(walk, { name: type.named ?? '', type: atom.map }, after, before);
  if (isJsonArray(after) && isJsonArray(before) && atom?.list) {
    const { elementType } = atom.list;
    return after.map((item, index) => visit(walk, elementType, item, before[index]));
  }
  // An empty list that the type always writes is stored as nothing, and read as null.
  return walk.isBuiltIn && before === null && isJsonArray(after) && after.length === 0 ? before : after;
}

interface Struct {
  readonly name: string;
  readonly type: MapType;
}

function visitMap(walk: Walk, struct: Struct, after: JsonObject, before: JsonObject): JsonObject {
  const { fields, elementType } = struct.type;
  const out: MutableJsonObject = {};
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const type = fields.get(key)?.type ?? elementType;
    const was = getOwn(before, key);
    if (was !== undefined) setOwn(out, key, visit(walk, type, value, was));
    else if (!isNotWritten(walk, struct, { key, value, type })) setOwn(out, key, value);
  }
  for (const [key, fallback] of Object.entries(DEFAULTS[struct.name] ?? {})) {
    const was = getOwn(before, key);
    const comes = typeof fallback === 'function' ? fallback(after) : fallback;
    if (was !== undefined && after[key] === undefined && jsonEqual(was, comes)) setOwn(out, key, was);
  }
  return out;
}

interface Given {
  readonly key: string;
  readonly value: JsonValue;
  readonly type: TypeRef | undefined;
}

/** A value that says nothing, where the live object has none: it had none when we applied this last, either. */
function isNotWritten({ schema, isBuiltIn }: Walk, { name }: Struct, { key, value, type }: Given): boolean {
  const atom = isBuiltIn && type ? schema.resolve(type) : undefined;
  if (atom === undefined || atom.scalar === 'untyped') return false;
  if (value === null) return true;
  if (isJsonArray(value)) return value.length === 0 && atom.list !== undefined;
  if (isJsonObject(value)) return Object.keys(value).length === 0 && isOpenMap(atom.map);
  return (value === '' || value === 0 || value === false) && NOT_WRITTEN[name]?.includes(key) === true;
}

/** Of any keys: a structure may be a pointer, and an empty one is something then. */
const isOpenMap = (map: MapType | undefined): boolean => map?.elementType !== undefined && map.fields.size === 0;
