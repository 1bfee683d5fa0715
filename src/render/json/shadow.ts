import { type ShadowReport, shadowScore } from '../../model/shadow.ts';

/** docs/guide/migrate.md describes it. `score`: 0 to 1, null where nothing is decided. */
export function shadowToJson(report: ShadowReport): object {
  const { hits, misses, passing, open, since, until, windowSeconds, controllers, found, leftOut } = report;
  return {
    formatVersion: '1.0',
    ...{ since, until, windowSeconds, score: shadowScore(report) ?? null, hits, misses, passing, open },
    controllers: controllers.map((counts) => ({ ...counts, score: shadowScore(counts) ?? null })),
    found,
    leftOut,
  };
}
