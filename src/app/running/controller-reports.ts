// What is said of controllers that come, go, or can't run: lines of the log, and Metacontroller's Events on their objects.

import { type Definition, definitionId } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import { type Ref, refOf } from '../../model/ref.ts';
import type { EventRecorder } from '../../ports/events.ts';
import type { Logger } from '../../ports/log.ts';
import type { HostedState } from './controller-host.ts';

export interface ControllerReporting {
  readonly log: Logger;
  readonly events: EventRecorder;
}

const STAGES = { starting: 'Starting', running: 'Started', stopping: 'Stopping', stopped: 'Stopped' } as const;

export class ControllerReports {
  readonly #reporting: ControllerReporting;

  constructor(reporting: ControllerReporting) {
    this.#reporting = reporting;
  }

  state(definition: Definition, state: HostedState): void {
    const about = definition.fromCluster ? refOf(definition.object as unknown as KubeObject) : undefined;
    if (state.kind === 'waiting') this.#problems(definitionId(definition), about, state.problems);
    else this.#stage(definition, about, STAGES[state.kind]);
  }

  /** Of one that was started: others that run are in its way. */
  conflicts({ object, fromCluster }: Definition, conflicts: readonly Diagnostic[]): void {
    const { log, events } = this.#reporting;
    for (const { code, summary, detail, hint } of conflicts) {
      log.warn('Controllers are in conflict', { code, error: summary, detail, hint });
      if (!fromCluster) continue;
      const message = `${summary}. ${detail}`;
      events.note(refOf(object as unknown as KubeObject), { type: 'Warning', reason: 'SyncWarning', message });
    }
  }

  /** An object that is no definition that could run. */
  refused(about: Ref, problems: readonly Diagnostic[]): void {
    this.#problems(`${about.kind}/${about.name}`, about, problems);
  }

  #stage(definition: Definition, about: Ref | undefined, reason: string): void {
    this.#reporting.log.info(`${reason} controller`, { controller: definitionId(definition) });
    const message = `${reason} controller: ${definition.name}`;
    if (about) this.#reporting.events.note(about, { type: 'Normal', reason, message });
  }

  #problems(controller: string, about: Ref | undefined, problems: readonly Diagnostic[]): void {
    for (const { code, severity, summary, hint } of problems) {
      const level = severity === 'error' ? 'error' : 'warn';
      this.#reporting.log[level]('Controller can not run', { controller, code, error: summary, hint });
      if (!about || severity !== 'error') continue;
      // Metacontroller's reasons: this one for a parent without a status subresource.
      const reason = code === 'no-status-subresource' ? 'SyncError' : 'CreateError';
      const said = reason === 'SyncError' ? 'Sync error' : 'Cannot create new controller';
      this.#reporting.events.note(about, { type: 'Warning', reason, message: `${said}: ${summary}` });
    }
  }
}
