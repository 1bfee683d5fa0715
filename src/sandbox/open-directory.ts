import { openJournal } from './journal/index.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';

export interface DirectoryOptions extends Omit<SandboxOptions, 'journal'> {
  /** Wait for the disk at each write. Default false: a power cut may lose the last ones, a killed process none. */
  readonly fsync?: boolean;
}

/** A sandbox that is kept in a directory. Throws DiagnosticError when another process has it or it can't be read. */
export async function openSandboxDirectory(
  directory: string,
  { fsync = false, ...options }: DirectoryOptions,
): Promise<Sandbox> {
  const journal = openJournal(directory, { fsync });
  try {
    return createSandbox({ ...options, journal });
  } catch (error) {
    await journal.close();
    throw error;
  }
}
