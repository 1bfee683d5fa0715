// What a local hook sees of our environment. A list of what may pass, not of what must not: credentials have too many
// names (KUBECONFIG, AWS_*, GITHUB_TOKEN …) for the other way round.

const PASSED = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ'] as const;

export function cleanEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const name of PASSED) {
    const value = environment[name];
    if (value !== undefined) clean[name] = value;
  }
  return clean;
}
