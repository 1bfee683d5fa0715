// Go's decoder names the structs that are embedded in others in the paths of its complaints, although JSON has no such level:
// "spec.containers.livenessProbe.ProbeHandler.httpGet.port".

import { structFields } from './types.ts';

interface Embedded {
  readonly name: string;
  /** Fields of the outer struct itself. */
  readonly own: readonly string[];
}

const EMBEDDED: Readonly<Record<string, Embedded>> = {
  'core.v1.Probe': {
    name: 'ProbeHandler',
    own: [
      'initialDelaySeconds',
      'timeoutSeconds',
      'periodSeconds',
      'successThreshold',
      'failureThreshold',
      'terminationGracePeriodSeconds',
    ],
  },
  'core.v1.Volume': { name: 'VolumeSource', own: ['name'] },
  'core.v1.PersistentVolumeSpec': {
    name: 'PersistentVolumeSource',
    own: [
      'capacity',
      'accessModes',
      'claimRef',
      'persistentVolumeReclaimPolicy',
      'storageClassName',
      'mountOptions',
      'volumeMode',
      'nodeAffinity',
      'volumeAttributesClassName',
    ],
  },
  'core.v1.EphemeralContainer': { name: 'EphemeralContainerCommon', own: ['targetContainerName'] },
  'core.v1.SecretKeySelector': { name: 'LocalObjectReference', own: ['key', 'optional'] },
  'core.v1.ConfigMapKeySelector': { name: 'LocalObjectReference', own: ['key', 'optional'] },
  'core.v1.ConfigMapVolumeSource': { name: 'LocalObjectReference', own: ['items', 'defaultMode', 'optional'] },
};

/** The path as the decoder of a type writes it: without indexes, with embedded structs. */
export function decoderPath(rootType: string, path: string): string {
  const words: string[] = [];
  let type = rootType;
  for (const name of path.replaceAll(/\[\d+\]/g, '').split('.')) {
    const embedded = EMBEDDED[type];
    if (embedded && !embedded.own.includes(name) && words.length > 0) words.push(embedded.name);
    words.push(name);
    const field = structFields(type)?.find((candidate) => candidate.name === name);
    type = field?.type.replace(/^(\[\]|\{\})+/, '') ?? '';
  }
  return words.join('.');
}
