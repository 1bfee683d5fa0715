// Tells one content of a file from the next without reading it. Node's own module cache never forgets, so a changed
// file means a new worker.

import { statSync } from 'node:fs';

/** Equal stamps: the file was not written in between. A file that isn't there has the stamp "absent". */
export function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : 'absent';
}
