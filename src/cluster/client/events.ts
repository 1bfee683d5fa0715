// Events as core/v1 has them, with Metacontroller's source.

import { isJsonObject } from '../../kit/json.ts';
import { isApiError } from '../../ports/errors.ts';
import type { EventRecord, EventWriter } from '../../ports/events.ts';
import type { Caller } from './caller.ts';

const COMPONENT = 'metacontroller';

export function createEventWriter(caller: Caller): EventWriter {
  return {
    async createEvent(record, name) {
      const namespace = record.about.namespace ?? 'default';
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
      const { about, type, reason, message, count, firstTimestamp, lastTimestamp } = record;
      const { apiVersion, kind, name: of, uid } = about;
      const body = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace },
        involvedObject: {
          apiVersion,
          kind,
          name: of,
          ...(about.namespace === undefined ? {} : { namespace: about.namespace }),
          ...(uid === undefined ? {} : { uid }),
        },
        ...{ type, reason, message: cut(message), count, firstTimestamp, lastTimestamp },
        source: { component: COMPONENT },
        reportingComponent: COMPONENT,
      };
      const written = await caller.json({ method: 'POST', path, body });
      const { metadata } = written;
      return {
        namespace,
        name: isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : name,
      };
    },
    async countEvent({ name, namespace }, { count, lastTimestamp, message }: EventRecord) {
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events/${encodeURIComponent(name)}`;
      const body = { count, lastTimestamp, message: cut(message) };
      try {
        await caller.json({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
        return true;
      } catch (error) {
        if (isApiError(error, 404)) return false;
        throw error;
      }
    },
  };
}

/** The API server refuses longer ones. */
const cut = (message: string): string => (message.length > 1_024 ? `${message.slice(0, 1_021)}...` : message);
