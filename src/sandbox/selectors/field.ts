// Field selectors: metadata.name and metadata.namespace everywhere, a fixed list of fields for some built-ins, a CRD's
// selectableFields. Another field is a 400, as on the server.

import type { JsonValue } from '../../kit/json.ts';
import { isJsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { badRequest } from '../http/status-error.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { Matcher } from './label.ts';

const EVENT_FIELDS = [
  ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
    (f) => `involvedObject.${f}`,
  ),
  'reason',
  'reportingComponent',
  'source',
  'type',
];

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  events: EVENT_FIELDS,
  'events.events.k8s.io': EVENT_FIELDS,
  secrets: ['type'],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  services: ['spec.clusterIP', 'spec.type'],
  replicationcontrollers: ['status.replicas'],
  'replicasets.apps': ['status.replicas'],
  'jobs.batch': ['status.successful'],
  'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
};

/** Kinds whose refusal names the two general fields; the others have a conversion function with the short text. */
const SHORT_TEXT = new Set(Object.keys(FIELDS));

/** Where a field is not the path of the same name. */
const PATHS: Readonly<Record<string, readonly string[]>> = { 'status.successful': ['status', 'succeeded'] };
/** What the typed object has where JSON has nothing. */
const ABSENT: Readonly<Record<string, string>> = {
  'spec.unschedulable': 'false',
  'spec.hostNetwork': 'false',
  'status.replicas': '0',
  'status.successful': '0',
};

function fieldText(object: KubeObject, field: string): string {
  let value: JsonValue | undefined = object;
  for (const part of PATHS[field] ?? field.split('.')) value = isJsonObject(value) ? value[part] : undefined;
  return value === undefined || value === null ? (ABSENT[field] ?? '') : String(value);
}

function checkField(kind: ResourceKind, field: string): void {
  if (field === 'metadata.name' || (field === 'metadata.namespace' && (kind.namespaced || !kind.custom))) return;
  if (FIELDS[kind.id]?.includes(field) || kind.selectableFields.includes(field)) return;
  if (kind.custom || SHORT_TEXT.has(kind.id)) throw badRequest(`field label not supported: ${field}`);
  const known = '"metadata.name", "metadata.namespace"';
  throw badRequest(`${JSON.stringify(field)} is not a known field selector: only ${known}`);
}

/** Splits at commas that no backslash escapes. */
function terms(text: string): string[] {
  return (text.match(/(?:\\.|[^,\\])+/g) ?? []).filter((term) => term !== '');
}

const unescapeValue = (text: string): string => text.replace(/\\([\\,=])/g, '$1');

export interface FieldSelector {
  readonly matches: Matcher<KubeObject>;
  /** Set when the selector names one object: a list then is one lookup. */
  readonly name: string | undefined;
}

/** Throws a 400 StatusError. undefined: everything matches. */
export function parseFieldSelector(kind: ResourceKind, text: string): FieldSelector | undefined {
  const requirements: Matcher<KubeObject>[] = [];
  let name: string | undefined;
  for (const term of terms(text)) {
    const match = /^((?:\\.|[^=!\\])*?)(==|!=|=)(.*)$/s.exec(term);
    if (!match) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field = '', operator, raw = ''] = match;
    checkField(kind, field);
    const value = unescapeValue(raw);
    if (field === 'metadata.name' && operator !== '!=') name = value;
    requirements.push((object) => (fieldText(object, field) === value) === (operator !== '!='));
  }
  if (requirements.length === 0) return undefined;
  return { matches: (object) => requirements.every((requirement) => requirement(object)), name };
}
