/** Tells that files have changed in content, and which; not what became of them. */
export interface FileWatch {
  close(): Promise<void>;
}

export interface FileWatchOptions {
  /** Absolute: files, and directories with all that is below them. */
  readonly roots: readonly string[];
  /** Absolute paths of the files, when nothing has changed for a moment. */
  readonly onChange: (files: readonly string[]) => void;
}

export type WatchFiles = (options: FileWatchOptions) => Promise<FileWatch>;
