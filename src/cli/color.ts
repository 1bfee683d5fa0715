// Whether to use colour and which characters, from flags, environment and stream. Pure: everything comes in.

export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];
type Variables = Readonly<Record<string, string | undefined>>;

/** --color, then NO_COLOR (not empty), then FORCE_COLOR (not empty, "0" and "false" mean no), then the terminal. */
export function useColor(choice: ColorChoice, variables: Variables, isTTY: boolean): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (variables['NO_COLOR']) return false;
  const forced = variables['FORCE_COLOR'];
  if (forced) return forced !== '0' && forced !== 'false';
  return isTTY && variables['TERM'] !== 'dumb';
}

/** ASCII only when asked for, or when the locale is set to something that is not UTF-8. No locale at all: UTF-8. */
export function useAscii(flag: boolean, variables: Variables): boolean {
  const locale = variables['LC_ALL'] || variables['LC_CTYPE'] || variables['LANG'];
  return flag || (locale !== undefined && locale !== '' && !/utf-?8/i.test(locale));
}

const WIDTH_WITHOUT_TERMINAL = 120;
const NARROWEST = 60;

/** Columns to fill: the terminal's; a fixed width elsewhere, so that piped output is the same on every machine. */
export function outputWidth(stream: { readonly isTTY: boolean; readonly columns?: number }): number {
  return stream.isTTY && stream.columns ? Math.max(NARROWEST, stream.columns) : WIDTH_WITHOUT_TERMINAL;
}
