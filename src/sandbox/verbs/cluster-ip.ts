import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';

/** 10.0.0.1 is the API server's own. */
const FIRST = 2;
const LAST = 0xfffe;

const address = (host: number): string => `10.0.${host >> 8}.${host & 0xff}`;

/** The lowest free address of 10.0.0.0/16, so that two runs of the same writes give the same addresses. */
export function assignClusterIp(core: Core, object: KubeObject): KubeObject {
  const given: JsonObject = isJsonObject(object['spec']) ? object['spec'] : {};
  const spec = { ...given, type: given['type'] ?? 'ClusterIP' };
  if (spec.type === 'ExternalName') return { ...object, spec };
  const asked = given['clusterIP'];
  const clusterIP = typeof asked === 'string' && asked !== '' ? asked : freeAddress(core);
  return { ...object, spec: { ...spec, clusterIP, clusterIPs: [clusterIP] } };
}

function freeAddress(core: Core): string {
  const taken = new Set<unknown>();
  for (const service of core.store.collection({ id: 'services' }).range('')) {
    const spec = service.object['spec'];
    if (isJsonObject(spec)) taken.add(spec['clusterIP']);
  }
  for (let host = FIRST; host < LAST; host++) if (!taken.has(address(host))) return address(host);
  throw new Error('no free address in 10.0.0.0/16');
}
