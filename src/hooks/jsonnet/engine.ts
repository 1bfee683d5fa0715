// Jsonnet as WebAssembly (tools/engines/jsonnet is its source), one instance. It can do nothing but compute: it has no
// directories, its only files are those that `find` gives it, and what it prints goes where `trace` says.

import { WASI } from 'node:wasi';
import type { FoundImport } from './import-files.ts';
import { type WasmModule, wasm } from './webassembly.ts';

export interface EngineHost {
  readonly find: (from: string, wanted: string) => FoundImport | string;
  readonly trace: (text: string) => void;
}

export interface Evaluation {
  readonly ok: boolean;
  readonly text: string;
}

// The numbers of tools/engines/jsonnet/host.go.
const SLOTS = { program: 0, request: 1, from: 2, wanted: 3, found: 4, contents: 5, trace: 6, result: 7 } as const;

interface EngineExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly evaluate: (changed: number) => number;
}

/** What it says when it ends is short; a flood is cut. */
const LAST_WORDS = 64 * 1024;

export class Engine {
  readonly #host: EngineHost;
  readonly #slots: Uint8Array[] = [];
  readonly #exports: EngineExports;
  #lastWords = '';

  constructor(module: WasmModule, host: EngineHost, softMemoryMiB: number) {
    this.#host = host;
    const env = { GOMEMLIMIT: `${softMemoryMiB}MiB`, GOGC: '200' };
    const wasi = new WASI({ version: 'preview1', args: [], env, preopens: {}, returnOnExit: true });
    const { wasi_snapshot_preview1: system } = wasi.getImportObject() as { wasi_snapshot_preview1: object };
    const instance = new wasm.Instance(module, {
      // Node's own would write into our stdout and stderr, and end our process.
      wasi_snapshot_preview1: { ...system, fd_write: this.#write, proc_exit: this.#exit },
      metactl: { length: this.#length, take: this.#take, give: this.#give, find: this.#find },
    });
    this.#exports = instance.exports as unknown as EngineExports;
    wasi.initialize(instance);
  }

  /** Throws what the engine dies of; `lastWords` may say more. It can't be used again then. */
  evaluate(program: string, request: string, changed: boolean): Evaluation {
    this.#slots[SLOTS.program] = encode(program);
    this.#slots[SLOTS.request] = encode(request);
    const ok = this.#exports.evaluate(changed ? 1 : 0) === 0;
    const text = this.#text(SLOTS.result);
    this.#slots.length = 0;
    return { ok, text };
  }

  /** What its runtime said before it ended; "" if nothing. */
  get lastWords(): string {
    return this.#lastWords;
  }

  #text(slot: number): string {
    return new TextDecoder().decode(this.#slots[slot]);
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, at >>> 0, length >>> 0);
  }

  readonly #length = (slot: number): number => this.#slots[slot]?.length ?? 0;

  readonly #take = (slot: number, to: number): void => {
    const text = this.#slots[slot];
    if (text) this.#bytes(to, text.length).set(text);
  };

  readonly #give = (slot: number, from: number, length: number): void => {
    this.#slots[slot] = this.#bytes(from, length).slice();
    if (slot === SLOTS.trace) this.#host.trace(this.#text(slot));
  };

  readonly #find = (): number => {
    const found = this.#host.find(this.#text(SLOTS.from), this.#text(SLOTS.wanted));
    const isFound = typeof found === 'object';
    this.#slots[SLOTS.found] = encode(isFound ? found.path : '');
    this.#slots[SLOTS.contents] = isFound ? found.contents : encode(found);
    return isFound ? 1 : 0;
  };

  /** WASI's fd_write: the Go runtime says there what it dies of. */
  readonly #write = (_file: number, vectors: number, count: number, written: number): number => {
    const view = new DataView(this.#exports.memory.buffer);
    let total = 0;
    for (let index = 0; index < count; index++) {
      const at = (vectors >>> 0) + index * 8;
      const length = view.getUint32(at + 4, true);
      const text = new TextDecoder().decode(this.#bytes(view.getUint32(at, true), length));
      this.#lastWords = (this.#lastWords + text).slice(0, LAST_WORDS);
      total += length;
    }
    view.setUint32(written >>> 0, total, true);
    return 0;
  };

  readonly #exit = (code: number): never => {
    throw new Error(`the engine ended with exit code ${code}`);
  };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
