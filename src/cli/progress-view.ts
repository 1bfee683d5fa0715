import type { Progress } from '../model/progress.ts';

/** Somebody who shows what a use case does. */
export interface ProgressView {
  take(progress: Progress): void;
  /** Leaves the screen to somebody else (a plan, a question) until the next `take`. */
  pause(): Promise<void>;
  /** Nothing comes any more. To be called on every way out: a view may hold a timer. */
  end(): Promise<void>;
}
