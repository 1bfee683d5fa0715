// What a watch shows. stdout has the plans: whole the first time, then the part that differs. stderr has why it looked again,
// what is wrong, and what was written; on a terminal a live view at its foot, elsewhere plain lines and silence between.

import { relative } from 'node:path';
import type { WatchReport } from '../app/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { changesOfParent, isWrite, type ParentPlan, type Plan } from '../model/plan.ts';
import type { Progress } from '../model/progress.ts';
import { formatRef } from '../model/ref.ts';
import { redactorOf, renderDiagnostics, renderPlanText } from '../render/index.ts';
import type { LiveLines } from './live-lines.ts';
import { describeOutcome, describeWaiting } from './progress-words.ts';
import type { Session } from './session.ts';

export interface WatchViewOptions {
  readonly session: Session;
  readonly clock: Clock;
  /** Absent: there is no terminal. */
  readonly live: LiveLines | undefined;
  readonly quiet: boolean;
}

/** Parents that the live view has a line for. */
const SHOWN = 12;

export class WatchView {
  readonly #options: WatchViewOptions;
  #plan: Plan | undefined;
  #plannedAt = 0;
  #standing = '';
  #last = '';
  /** Everything is written in the order in which it came. */
  #writing: Promise<void> = Promise.resolve();

  constructor(options: WatchViewOptions) {
    this.#options = options;
  }

  report(report: WatchReport): void {
    if (report.kind === 'plan' || report.kind === 'unchanged') {
      this.#plan = report.plan;
      this.#plannedAt = this.#options.clock.now();
    }
    this.#inTurn(async () => {
      await this.#options.live?.pause();
      await this.#write(report);
      this.#live();
    });
  }

  progress(progress: Progress): void {
    if (progress.kind !== 'change.end') return;
    const line = describeOutcome(progress.change, progress.outcome);
    this.#last = line;
    if (this.#options.live) this.#inTurn(async () => this.#live());
    else this.#inTurn(() => this.#tell(line));
  }

  async end(): Promise<void> {
    this.#inTurn(async () => this.#options.live?.pause());
    await this.#writing;
  }

  #inTurn(work: () => Promise<void> | undefined): void {
    this.#writing = this.#writing.then(work);
  }

  async #write(report: WatchReport): Promise<void> {
    const { streams, stdoutLook, stderrLook, showUnchanged } = this.#options.session;
    const { color } = stderrLook;
    switch (report.kind) {
      case 'plan': {
        await this.#because(report.trigger);
        const look = { ...stdoutLook, showUnchanged };
        await streams.stdout.write(renderPlanText(report.news, look));
        await this.#rest(report);
        const diagnostics = problemsOf(report.news);
        if (diagnostics.length > 0)
          await streams.stderr.write(renderDiagnostics(diagnostics, { color, redactor: redactorOf(report.plan) }));
        return;
      }
      case 'unchanged':
        await this.#because(report.trigger);
        return report.trigger.kind === 'files' ? this.#tell('the plan is as before') : undefined;
      case 'problem':
        await this.#because(report.trigger);
        return streams.stderr.write(renderDiagnostics(report.diagnostics, { color }));
      case 'only-plans':
        return streams.stderr.write(
          `warning: ${report.context === '' ? 'this cluster' : `the context ${report.context}`} is not a local one: it is planned, and nothing is written\n  To write there: --allow-context ${report.context}, or allowContexts in a configuration file.\n`,
        );
      case 'standing': {
        const { waitingOn, diagnostics } = report;
        this.#standing = waitingOn.length > 0 ? describeWaiting(waitingOn, 0) : 'settled';
        if (diagnostics.length > 0) await streams.stderr.write(renderDiagnostics(diagnostics, { color }));
        else await this.#tell(this.#standing.replace(/, 0ms$/, ''));
      }
    }
  }

  async #because(trigger: Extract<WatchReport, { kind: 'plan' }>['trigger']): Promise<void> {
    if (trigger.kind === 'files') await this.#tell(`changed: ${trigger.files.map(fileText).join(', ')}`);
    if (trigger.kind === 'cluster') await this.#tell('changed: the cluster');
  }

  async #rest({ plan, news }: Extract<WatchReport, { kind: 'plan' }>): Promise<void> {
    const others = plan.parents.length - news.parents.length;
    if (plan !== news && others > 0)
      await this.#tell(`${others} other ${others === 1 ? 'parent is' : 'parents are'} planned as before`);
  }

  async #tell(line: string): Promise<void> {
    if (!this.#options.quiet) await this.#options.session.streams.stderr.write(`${line}\n`);
  }

  #live(): void {
    const { live, clock } = this.#options;
    const plan = this.#plan;
    if (!live || !plan) return;
    const lines = plan.parents.slice(0, SHOWN).map(parentLine);
    const more = plan.parents.length - lines.length;
    const at = timeOf(this.#plannedAt || clock.now());
    live.show(`Watching ${plan.parents.length} parents, planned at ${at}`, [
      ...lines,
      ...(more > 0 ? [`and ${more} more`] : []),
      ...(this.#standing === '' ? [] : [this.#standing]),
      ...(this.#last === '' ? [] : [`last: ${this.#last}`]),
    ]);
  }
}

/** With their places in files, which the plan's text has no room for. */
const problemsOf = ({ diagnostics, parents }: Plan): readonly Diagnostic[] => [
  ...diagnostics,
  ...parents.flatMap((parent) => parent.diagnostics),
];

/** As the user would write it. */
const fileText = (file: string): string => {
  const near = relative(process.cwd(), file);
  return near.startsWith('..') ? file : near;
};

/** "CatSet default/web: 3 changes; sync, 4 children; waiting for Pod default/web-0 (not Ready)" */
function parentLine(plan: ParentPlan): string {
  const writes = changesOfParent(plan).filter(isWrite).length;
  const calls = plan.hookCalls.map(({ hookName, children }) => `${hookName}, ${children} children`);
  const waits = plan.result.waitingOn.slice(0, 1).map(({ ref, reason }) => `waiting for ${formatRef(ref)} (${reason})`);
  const errors = plan.diagnostics
    .filter(({ severity }) => severity === 'error')
    .slice(0, 1)
    .map(({ summary }) => summary);
  const state = writes === 0 ? 'nothing to do' : `${writes} ${writes === 1 ? 'change' : 'changes'}`;
  return `${formatRef(plan.parent)}: ${[state, ...calls.slice(-1), ...waits, ...errors].join('; ')}`;
}

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
