// The wire format of protocol buffers, as far as Kubernetes' messages use it: one field after the other, by number.

/** The bytes are no message. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** A number for varints and fixed sizes, bytes for everything else. */
export type WireValue = bigint | Uint8Array;

export interface WireField {
  readonly number: number;
  readonly value: WireValue;
}

export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  const reader = new Reader(bytes);
  while (!reader.done) {
    const tag = reader.varint();
    yield { number: Number(tag >> 3n), value: reader.value(Number(tag & 7n)) };
  }
}

/** Several varints one after the other, as packed lists have them. */
export function packedVarints(bytes: Uint8Array): bigint[] {
  const reader = new Reader(bytes);
  const values: bigint[] = [];
  while (!reader.done) values.push(reader.varint());
  return values;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new ProtobufError('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('integer overflow');
  }

  value(wireType: number): WireValue {
    if (wireType === 0) return this.varint();
    if (wireType === 1) return this.#fixed(8);
    if (wireType === 2) return this.#slice(Number(this.varint()));
    if (wireType === 5) return this.#fixed(4);
    throw new ProtobufError(`illegal wireType ${wireType}`);
  }

  #fixed(size: number): bigint {
    return this.#slice(size).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  }

  #slice(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new ProtobufError('unexpected EOF');
    const slice = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return slice;
  }
}
