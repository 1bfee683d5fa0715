import type { ElectionTiming, ListenAddress, LogEncoder, LogLevel } from '../../daemon/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ShadowReport } from '../../model/shadow.ts';
import type { RunningOptions } from './running.ts';
import type { ShadowSettings } from './shadowing.ts';

/** Where pages are served: "127.0.0.1:8081". */
export interface ListeningAddresses {
  readonly metrics?: string;
  readonly health?: string;
  readonly pprof?: string;
}

/** What `metactl daemon` is told. Times in milliseconds. */
export interface DaemonOptions extends RunningOptions {
  /** Of the controllers' own objects; "": all of them. */
  readonly controllerSelector: string;
  /** Absent: none, this is the only one. */
  readonly election?: {
    readonly name: string;
    readonly namespace?: string;
    /** Default: client-go's. */
    readonly timing?: ElectionTiming;
    /** Absent: one leader. Else so many parts of the parents, each with a Lease of its own: the same number in every replica. */
    readonly shards?: number;
  };
  /** Of the program: put on the Lease, for those who wait for it. */
  readonly version?: string;
  /** It writes nothing, and says how well it would have foretold what somebody else writes. No election then. */
  readonly shadow?: ShadowSettings;
  readonly metricsAddress?: ListenAddress;
  readonly healthAddress?: ListenAddress;
  /** Of profiles of this process, heap snapshots among them: whoever reaches it may read every Secret. */
  readonly pprofAddress?: ListenAddress;
  readonly log: {
    readonly level: LogLevel;
    readonly encoder: LogEncoder;
    /** Takes a line with its line break. Default: stderr. */
    readonly write?: (line: string) => void;
  };
  /** After so long every parent is looked at again, and its hooks are asked; 0: never. */
  readonly flushMs: number;
  readonly events: { readonly burst: number; readonly perSecond: number };
  /** Requests to the API server; absent: no limit of our own, the server does its own. */
  readonly requests?: { readonly perSecond: number; readonly burst: number };
  /** How long what is under way may take after a signal. */
  readonly drainMs: number;
  /** Told once, when the controllers that are there at the start run. */
  readonly onStarted?: (running: RunningDaemon) => void;
  /** Told once, when the probes listen: "127.0.0.1:8081". */
  readonly onListening?: (addresses: ListeningAddresses) => void;
}

/** How it stands with a daemon at this moment. */
export interface RunningDaemon {
  /** No parent is in work or in line for it; some may wait for their time. */
  idle(): boolean;
  /** All that was written has been seen on the watches. */
  caughtUp(): boolean;
}

export interface DaemonOutcome {
  /** stopped: by a signal. lost: another one is the leader now. failed: it could not run, or met a defect of ours. */
  readonly status: 'stopped' | 'lost' | 'failed';
  readonly diagnostics: readonly Diagnostic[];
  /** Of a shadow that ran. */
  readonly shadow?: ShadowReport;
}
