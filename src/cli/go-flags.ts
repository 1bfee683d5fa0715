// Flags as Go programs take them, for a command line that was written for Metacontroller: one dash before a long name, and
// booleans with a value. Turned into the form that oclif knows, before it sees them.

/** `-zap-log-level=4` → `--zap-log-level=4`; `--leader-election=false` → `--no-leader-election`. Nothing after "--". */
export function fromGoFlags(argv: readonly string[], booleans: readonly string[]): string[] {
  const end = argv.indexOf('--');
  const flags = argv.slice(0, end < 0 ? argv.length : end);
  return [...flags.map((word) => fromGoFlag(word, booleans)), ...argv.slice(flags.length)];
}

function fromGoFlag(word: string, booleans: readonly string[]): string {
  // One letter is a short flag of ours: -f, -n.
  const [, name, value] = /^--?([a-z][a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (name === undefined) return word;
  if (!booleans.includes(name) || value === undefined) return value === undefined ? `--${name}` : `--${name}=${value}`;
  const said = TRUTH[value];
  if (said === undefined) throw new Error(`--${name} is true or false, not "${value}"`);
  return said ? `--${name}` : `--no-${name}`;
}

/** strconv.ParseBool's. */
const TRUTH: Readonly<Record<string, boolean>> = {
  ...{ '1': true, t: true, T: true, true: true, TRUE: true, True: true },
  ...{ '0': false, f: false, F: false, false: false, FALSE: false, False: false },
};
