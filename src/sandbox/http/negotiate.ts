// Which form of an answer a client asks for in its Accept header.

import { notAcceptable, StatusError } from './status-error.ts';

export type Format = 'json' | 'yaml';
export type View = 'Object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

export interface Accepted {
  readonly format: Format;
  readonly view: View;
}

export interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const PLAIN: Accepted = { format: 'json', view: 'Object' };
const MEDIA_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const VIEWS = new Set<string>(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/** In the order in which they stand: weights (q) are given by no Kubernetes client. */
export function parseAccept(header: string): MediaRange[] {
  return header.split(',').map((range) => {
    const [type = '', ...rest] = range.split(';').map((part) => part.trim());
    const pairs = rest.map((part) => part.split('=', 2).map((text) => text.trim()) as [string, string]);
    return { type: type.toLowerCase(), parameters: new Map(pairs) };
  });
}

function formatOf(type: string): Format | undefined {
  if (type === 'application/json' || type === '*/*' || type === 'application/*' || type === '') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}

function viewOf(parameters: ReadonlyMap<string, string>): View | undefined {
  const as = parameters.get('as');
  if (as === undefined) return 'Object';
  const known = VIEWS.has(as) && parameters.get('g') === 'meta.k8s.io' && parameters.get('v') === 'v1';
  return known ? (as as View) : undefined;
}

/** Throws 406 when nothing that the client takes can be made. Protobuf never is: clients that ask for it take JSON too. */
export function negotiate(header: string | undefined): Accepted {
  if (header === undefined || header === '' || header === 'application/json') return PLAIN;
  const ranges = parseAccept(header);
  for (const { type, parameters } of ranges) {
    const format = formatOf(type);
    const view = viewOf(parameters);
    if (format && view) return { format, view };
  }
  if (ranges.some(({ type }) => formatOf(type) || type === 'application/vnd.kubernetes.protobuf'))
    throw notAcceptable(MEDIA_TYPES);
  const message = `406: Not Acceptable\n\nAvailable representations: ${MEDIA_TYPES.join(', ')}`;
  throw new StatusError(406, message, { reason: 'NotAcceptable', details: {} });
}
