// The engine's file → compiled code with a limit on its memory. A module without a maximum could take 4 GiB, and no limit of
// a worker thread counts what WebAssembly takes: so the maximum is written into it before it is compiled.

import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { type WasmModule, wasm } from './webassembly.ts';
import { engineFile } from './worker-entry.ts';

const MEMORY_SECTION = 5;
const PAGES_PER_MIB = 16;

/** Takes 0.1 s. Throws what node:fs throws when the file is not there. */
export async function loadEngine(memoryMiB: number): Promise<WasmModule> {
  const bytes = await promisify(brotliDecompress)(await readFile(engineFile()));
  return wasm.compile(limitMemory(bytes, memoryMiB * PAGES_PER_MIB));
}

/** The same module with this maximum of pages of 64 KiB for its memory, or its minimum if that is more. */
export function limitMemory(module: Uint8Array, maxPages: number): Uint8Array<ArrayBuffer> {
  let at = 8; // after the magic number and the version
  while (at < module.length) {
    const [length, start] = readNumber(module, at + 1);
    if (module[at] === MEMORY_SECTION) {
      // One memory; its flags say whether there is a maximum; its minimum.
      const [minimum] = readNumber(module, start + 2);
      const body = [1, 1, ...numberBytes(minimum), ...numberBytes(Math.max(maxPages, minimum))];
      const section = [MEMORY_SECTION, ...numberBytes(body.length), ...body];
      return joined(module.subarray(0, at), Uint8Array.from(section), module.subarray(start + length));
    }
    at = start + length;
  }
  throw new TypeError('the WebAssembly module has no memory of its own');
}

/** An unsigned LEB128 number and where it ends. */
function readNumber(bytes: Uint8Array, from: number): [value: number, end: number] {
  let value = 0;
  for (let at = from, factor = 1; ; at++, factor *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * factor;
    if (byte < 128) return [value, at + 1];
  }
}

function numberBytes(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...numberBytes(Math.floor(value / 128))];
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
