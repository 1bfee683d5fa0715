// Rights as a table for people: place by place, what may be done to which objects, and why.

import type { SummedRight } from '../../model/right.ts';

export function renderRights(rights: readonly SummedRight[]): string {
  const places = [...new Set(rights.map(({ namespace }) => namespace))];
  return places
    .map((place) =>
      table(
        place,
        rights.filter(({ namespace }) => namespace === place),
      ),
    )
    .join('\n');
}

function table(place: string | undefined, rights: readonly SummedRight[]): string {
  const title = place === undefined ? 'In the cluster as a whole' : `In namespace ${place}`;
  const rows = rights.map(({ verbs, reasons, ...of }) => [targetOf(of), verbs.join(' '), reasons.join('; ')] as const);
  const [first, second] = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map(
    ([target, verbs, why]) => `  ${target.padEnd(first ?? 0)}  ${verbs.padEnd(second ?? 0)}  ${why}`,
  );
  return `${[title, ...lines].join('\n')}\n`;
}

function targetOf({ group, resource, names }: Pick<SummedRight, 'group' | 'resource' | 'names'>): string {
  const [object = '', ...subresource] = resource.split('/');
  const of = [group === '' ? object : `${object}.${group}`, ...subresource].join('/');
  return names ? `${of} ${names.join(' ')}` : of;
}
