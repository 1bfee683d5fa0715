/** How old something is, as kubectl's tables show it: 42s, 3m12s, 5h, 2d4h, 97d. */
export function formatAge(timestamp: string | null | undefined, now: number): string {
  const then = timestamp ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(then)) return timestamp ? '<invalid>' : '<unknown>';
  const seconds = Math.floor((now - then) / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return pair(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 365 * 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}

const pair = (big: number, bigUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`;
