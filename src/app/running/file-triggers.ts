// Changes of files, kept until somebody asks for them: one that comes while a plan is made is not lost.

import type { FileWatch, WatchFiles } from '../../ports/file-watch.ts';

export class FileTriggers {
  readonly #watchFiles: WatchFiles;
  #roots: readonly string[] = [];
  #watch: FileWatch | undefined;
  readonly #changed = new Set<string>();
  #listener: ((files: readonly string[]) => void) | undefined;

  constructor(watchFiles: WatchFiles) {
    this.#watchFiles = watchFiles;
  }

  /** These instead of those before; nothing that changes meanwhile is lost. */
  async watch(roots: readonly string[]): Promise<void> {
    if (roots.join('\0') === this.#roots.join('\0')) return;
    this.#roots = roots;
    const before = this.#watch;
    this.#watch = await this.#watchFiles({ roots, onChange: (files) => this.#take(files) });
    await before?.close();
  }

  /** Told once: at once, where something has changed already. */
  onChange(listener: (files: readonly string[]) => void): () => void {
    this.#listener = listener;
    if (this.#changed.size > 0) this.#tell();
    return () => {
      if (this.#listener === listener) this.#listener = undefined;
    };
  }

  async close(): Promise<void> {
    await this.#watch?.close();
  }

  #take(files: readonly string[]): void {
    for (const file of files) this.#changed.add(file);
    if (this.#listener) this.#tell();
  }

  #tell(): void {
    const listener = this.#listener;
    const files = [...this.#changed].sort();
    this.#changed.clear();
    this.#listener = undefined;
    listener?.(files);
  }
}
