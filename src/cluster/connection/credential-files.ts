// Credentials that stand in the kubeconfig or in files it names.

import { readFile } from 'node:fs/promises';
import type { JsonObject } from '../../kit/json.ts';
import { textOf } from './kubeconfig-file.ts';

/** KEY-data (base64) wins over the file KEY. */
export async function dataOrFile(entry: JsonObject, key: string): Promise<Buffer | undefined> {
  const data = textOf(entry, `${key}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64');
  const file = textOf(entry, key);
  return file === undefined ? undefined : bytesOfFile(file);
}

export async function bytesOfFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Error(`the credential file ${file} can't be read: ${code}`, { cause: error });
  }
}
