// What went wrong in a rule, in cel-go's words.

export const NO_OVERLOAD = 'no such overload';

export function celErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, summary = error.message } = error as Error & { code?: string; summary?: string };
  switch (code) {
    case 'no_such_key':
      return summary.replace(/^No such key/, 'no such key');
    case 'index_out_of_bounds':
      return `index out of bounds: ${/index (-?\d+)/.exec(summary)?.[1] ?? ''}`;
    case 'division_by_zero':
      return 'division by zero';
    case 'modulo_by_zero':
      return 'modulus by zero';
    case 'no_matching_overload':
    case 'no_such_overload':
      return NO_OVERLOAD;
    default:
      return /overload/.test(summary) && !/^found/.test(summary) ? NO_OVERLOAD : (summary.split('\n')[0] ?? '');
  }
}
