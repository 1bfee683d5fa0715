// WebAssembly as far as the engine needs it: TypeScript declares it together with the browser's DOM only.

/** Compiled code. Can be sent to worker threads, which share it. */
export type WasmModule = WebAssembly.Module;

export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface WasmFace {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  readonly Module: { imports(module: WasmModule): { readonly module: string; readonly name: string }[] };
  readonly Instance: new (module: WasmModule, imports: Readonly<Record<string, object>>) => WasmInstance;
}

export const wasm: WasmFace = (globalThis as unknown as { readonly WebAssembly: WasmFace }).WebAssembly;
