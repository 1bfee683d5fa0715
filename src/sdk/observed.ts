import type { KubeObject } from '../model/object.ts';
import type { ObjectGroups } from './shapes.ts';

/** The observed children of one group, sorted by name ("web-2" before "web-10"): `childrenOf(request, 'Pod.v1')`. */
export function childrenOf({ children }: { readonly children: ObjectGroups }, group: string): KubeObject[] {
  return sorted(children[group]);
}

/** The same of a decorator's attachments. */
export function attachmentsOf({ attachments }: { readonly attachments: ObjectGroups }, group: string): KubeObject[] {
  return sorted(attachments[group]);
}

/** The same of what was made of an input. */
export function outputsOf({ outputs }: { readonly outputs: ObjectGroups }, group: string): KubeObject[] {
  return sorted(outputs[group]);
}

function sorted(objects: ObjectGroups[string] = {}): KubeObject[] {
  return Object.values(objects).sort((a, b) => byNumbers(a.metadata.name ?? '', b.metadata.name ?? ''));
}

/** By runs of digits as numbers; independent of the locale. */
function byNumbers(a: string, b: string): number {
  const pad = (name: string): string => name.replaceAll(/\d+/g, (digits) => digits.padStart(20, '0'));
  return pad(a) < pad(b) ? -1 : 1;
}
