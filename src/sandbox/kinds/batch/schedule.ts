// Cron schedules of five fields or by name, as CronJobs take them.

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ['', ...MONTHS] },
  { min: 0, max: 6, names: DAYS },
];
const BY_NAME = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);

/** What is wrong with a schedule; undefined when nothing is. */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule.startsWith('@')) {
    if (BY_NAME.has(schedule)) return undefined;
    if (/^@every (\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(schedule)) return undefined;
    return `unrecognized descriptor: ${schedule}`;
  }
  const parts = schedule.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== FIELDS.length) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  for (const [index, field] of FIELDS.entries()) {
    for (const range of (parts[index] ?? '').split(',')) {
      const problem = rangeProblem(range, field);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function rangeProblem(range: string, field: Field): string | undefined {
  const [span = '', step, ...more] = range.split('/');
  const ends = span.split('-');
  if (ends.length > 2) return `too many hyphens: ${range}`;
  if (more.length > 0) return `too many slashes: ${range}`;
  const [low = '', high] = ends;
  if (low === '*' || low === '?') return stepProblem(step, range);
  const start = numberOf(low, field);
  if (typeof start === 'string') return start;
  const end = high === undefined ? (step === undefined ? start : field.max) : numberOf(high, field);
  if (typeof end === 'string') return end;
  if (start < field.min) return `beginning of range (${start}) below minimum (${field.min}): ${range}`;
  if (end > field.max) return `end of range (${end}) above maximum (${field.max}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return stepProblem(step, range);
}

function stepProblem(step: string | undefined, range: string): string | undefined {
  if (step === undefined) return undefined;
  if (!/^\d+$/.test(step)) return parseProblem(step);
  return Number(step) === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

function numberOf(text: string, field: Field): number | string {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0 && text !== '') return named;
  return /^\d+$/.test(text) ? Number(text) : parseProblem(text);
}

const parseProblem = (text: string): string =>
  `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
