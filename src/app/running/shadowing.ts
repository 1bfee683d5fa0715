// A shadow beside a running loop: the report it keeps, and what it says at once of what it finds.

import { formatTime } from '../../kit/clock.ts';
import { formatRef } from '../../model/ref.ts';
import type { ShadowMiss, ShadowReport } from '../../model/shadow.ts';
import type { EventRecorder } from '../../ports/events.ts';
import type { Logger } from '../../ports/log.ts';
import { renderShadowText, shadowToJson } from '../../render/index.ts';
import { Shadow } from '../../shadow/index.ts';
import type { Confidential } from '../confidential.ts';
import type { AppEnvironment } from '../options.ts';
import type { Running } from './running.ts';

/** Times in milliseconds. */
export interface ShadowSettings {
  /** So long after a prediction the write may come, or after a write the plan that explains it. */
  readonly windowMs: number;
  /** Field managers of those whose writes are compared. */
  readonly managers: readonly string[];
  /** The process ends by itself after so long. Absent: it goes on. */
  readonly forMs?: number;
}

/** The one at work writes them; a shadow's would say everything twice. */
export const NO_EVENTS: EventRecorder = { note: () => undefined };

interface ShadowSetting {
  readonly settings: ShadowSettings;
  readonly environment: AppEnvironment;
  readonly log: Logger;
  readonly confidential: Confidential;
  readonly onCrash: (error: unknown) => void;
}

export function openShadow({ cache, host, ports }: Running, setting: ShadowSetting): Shadow {
  const { settings, environment, log, confidential, onCrash } = setting;
  // Before the shadow looks at it: what it tells of other objects may hold the same value.
  cache.onChange(({ before, after }) => {
    confidential.learn(before);
    confidential.learn(after);
  });
  const { clock, signal } = environment;
  const onMiss = (miss: ShadowMiss): void => log.warn('Not as predicted', fieldsOf(miss));
  const { windowMs, managers } = settings;
  const timeOf = (at: number): string => formatTime(clock.now() - clock.steady() + at);
  return new Shadow(
    { clock, ports, signal, controllers: () => host.running, onMiss, onCrash },
    { windowMs, managers, mask: confidential.text, timeOf },
  );
}

function fieldsOf({ kind, controller, parent, object, verb, manager, fields }: ShadowMiss) {
  const said = { controller, parent: formatRef(parent), object: formatRef(object), verb, how: kind, manager };
  return { ...said, fields: fields.map(({ path }) => path).join(' ') };
}

/** Of the report of the moment. */
export function shadowPages(report: () => ShadowReport | undefined) {
  const page = (contentType: string, render: (report: ShadowReport) => string) => () => {
    const now = report();
    return now
      ? ({ status: 200, contentType, body: render(now) } as const)
      : ({ status: 503, body: 'starting\n' } as const);
  };
  return {
    '/shadow': page('text/plain; charset=utf-8', renderShadowText),
    '/shadow.json': page('application/json', (now) => `${JSON.stringify(shadowToJson(now))}\n`),
  };
}
