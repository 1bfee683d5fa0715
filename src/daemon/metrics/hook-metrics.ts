// Calls of hooks, under Metacontroller's names. What happens on the wire (names looked up, handshakes) is told by the hooks
// room within the call that waits for it, so it is known whose it is: the one in whose course a connection is opened.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { HookAnswer, HookCall } from '../../model/need.ts';
import type { HookCaller, WireEvent } from '../../ports/hook.ts';
import { hookTarget } from '../hook-target.ts';
import type { Labels, Measures } from './measures.ts';
import { HOOKS } from './metric-list.ts';

export interface HookMetrics {
  around(caller: HookCaller): HookCaller;
  /** To be called in the course of a call. */
  onWire(event: WireEvent): void;
  onStatus(status: number): void;
}

interface Underway {
  readonly hook: string;
  readonly labels: Labels;
  readonly began: number;
  status?: number;
}

export function hookMetrics(measures: Measures, seconds: () => number): HookMetrics {
  const underway = new AsyncLocalStorage<Underway>();
  const measured = async (caller: HookCaller, call: HookCall, signal: AbortSignal): Promise<HookAnswer> => {
    const name = (rest: string): string => `metacontroller_${call.hookName}_${rest}`;
    const labels = labelsOf(call);
    const began = seconds();
    measures.add(name('in_flight_requests'), labels, 1);
    try {
      const now: Underway = { hook: call.hookName, labels, began };
      const answer = await underway.run(now, () => caller.call(call, signal));
      measures.count(name('requests_total'), { ...labels, method: 'post', code: codeOf(answer, now.status) });
      return answer;
    } finally {
      measures.add(name('in_flight_requests'), labels, -1);
      measures.observe(name('request_duration_histogram_seconds'), { ...labels, method: 'post' }, seconds() - began);
    }
  };
  return {
    around: (caller) => ({
      call: (call, signal) => (isMeasured(call) ? measured(caller, call, signal) : caller.call(call, signal)),
      close: () => caller.close(),
    }),
    onStatus: (status) => {
      const now = underway.getStore();
      if (now) now.status = status;
    },
    onWire: (event) => {
      const now = underway.getStore();
      if (!now) return;
      const what = event.startsWith('dns') ? 'dns' : 'tls';
      const name = `metacontroller_${now.hook}_${what}_duration_histogram_seconds`;
      measures.observe(name, { ...now.labels, event }, seconds() - now.began);
    },
  };
}

const isMeasured = ({ hookName }: HookCall): boolean => (HOOKS as readonly string[]).includes(hookName);

function labelsOf({ controller, hook }: HookCall): Labels {
  return { url: hookTarget(hook), ...ofController(controller) };
}

/** "CompositeController/catset" → the labels that Metacontroller gives it. */
export function ofController(controller: string): {
  readonly controller_name: string;
  readonly controller_type: string;
} {
  const [type = '', name = ''] = controller.split('/');
  return { controller_name: name, controller_type: type };
}

/** The status of the answer where it is known; Go's client has no code for what never came. */
function codeOf(answer: HookAnswer, status: number | undefined): string {
  if (answer.ok) return String(status ?? 200);
  return answer.statusCode === undefined ? '<error>' : String(answer.statusCode);
}
