// Writes docs/reference/metrics.md from the list of the daemon's metrics. A test compares the page with what this would write.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS, type MetricSpec } from '../../src/daemon/metrics/metric-list.ts';

export const METRICS_PAGE = join(import.meta.dirname, '../../docs/reference/metrics.md');

const HEAD = `<!-- Written by tools/generate/metrics-doc.ts from src/daemon/metrics/metric-list.ts; do not edit. -->
# Metrics of the daemon

\`metactl daemon\` serves them at \`/metrics\` on \`--metrics-address\` (\`:9999\`), in Prometheus' text form. Besides these there are
\`nodejs_*\` (event loop lag, heap, garbage collection) and \`process_*\` (CPU, memory, open files), as prom-client has them.

Labels are bounded by what there is of controllers, kinds, resources and hooks, never by parents or children, and the series of a
controller that stops go with it. \`url\` is without user, password and query; of a hook that is a program it is what is run. No
label and no value comes from the content of an object.

`;

const ABSENT = `
## Of Metacontroller's, absent

\`controller_runtime_*\` and \`certwatcher_*\` are of its framework: \`metactl_controllers\` and \`metactl_sync_total\` say what the first
stand for. \`go_*\` are Go's: \`nodejs_*\` stand in their place. The histograms of DNS and TLS count connections that are opened
directly: not by a proxy, nor through the API server.
`;

/** The page as Markdown: a table for each origin of names. */
export function renderMetricsPage(): string {
  const tables = (['Metacontroller', 'Kubernetes', 'metactl'] as const).map((of) => {
    const rows = Object.entries(METRICS).filter(([, spec]) => spec.of === of);
    return `## ${TITLES[of]}\n\n| Metric | Type | Labels | |\n|---|---|---|---|\n${rows.map(rowOf).join('\n')}\n`;
  });
  return `${HEAD}${tables.join('\n')}${ABSENT}`;
}

const TITLES = {
  Metacontroller: "Metacontroller's names",
  Kubernetes: "Names of Kubernetes' own controllers",
  metactl: 'Ours',
} as const;

function rowOf([name, { type, labels, help, buckets }]: [string, MetricSpec]): string {
  const shown = labels.map((label) => `\`${label}\``).join(' ');
  const bounds = buckets ? ` Buckets: ${buckets.join(' ')}.` : '';
  return `| \`${name}\` | ${type} | ${shown} | ${help.replaceAll('|', '\\|')}${bounds} |`;
}

if (import.meta.main) writeFileSync(METRICS_PAGE, renderMetricsPage());
