/** Runs tasks with at most so many at a time, in the order in which they were given. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

export function createLimiter(limit: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  // A slot is handed over, not freed and taken: whoever came in between would make one too many.
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      release();
    }
  };
}

/** Like Promise.all over map, with at most `limit` calls in flight. Results are in the order of the items. */
export function mapLimited<T, R>(items: readonly T[], limit: number, task: (item: T) => Promise<R>): Promise<R[]> {
  const run = createLimiter(limit);
  return Promise.all(items.map((item) => run(() => task(item))));
}
