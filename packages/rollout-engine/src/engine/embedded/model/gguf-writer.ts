import { ggufAlignment, ggufMagic, ggufType, ggufVersion, type GgufTensor, type GgufValue } from './gguf-format';

/** The bytes of a GGUF file with unquantised weights. The same input gives the same bytes. */
export function writeGguf(keys: ReadonlyMap<string, GgufValue>, tensors: readonly GgufTensor[]): Buffer {
  const parts: Buffer[] = [u32(ggufMagic), u32(ggufVersion), u64(tensors.length), u64(keys.size)];
  for (const [key, value] of keys) parts.push(text(key), valueBytes(value));
  let offset = 0;
  for (const { name, shape, data } of tensors) {
    parts.push(text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset));
    offset = aligned(offset + data.byteLength);
  }
  const header = Buffer.concat(parts);
  const body = tensors.flatMap(({ data }) => {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return [bytes, padding(bytes.length)];
  });
  return Buffer.concat([header, padding(header.length), ...body]);
}

function valueBytes(value: GgufValue): Buffer {
  switch (value.type) {
    case 'u32':
      return Buffer.concat([u32(ggufType.u32), u32(value.value)]);
    case 'i32':
      return Buffer.concat([u32(ggufType.i32), i32(value.value)]);
    case 'f32':
      return Buffer.concat([u32(ggufType.f32), f32(value.value)]);
    case 'bool':
      return Buffer.concat([u32(ggufType.bool), Buffer.of(value.value ? 1 : 0)]);
    case 'string':
      return Buffer.concat([u32(ggufType.string), text(value.value)]);
    case 'strings':
      return Buffer.concat([
        u32(ggufType.array),
        u32(ggufType.string),
        u64(value.value.length),
        ...value.value.map(text),
      ]);
    case 'i32s':
      return Buffer.concat([
        u32(ggufType.array),
        u32(ggufType.i32),
        u64(value.value.length),
        ...Array.from(value.value, i32),
      ]);
  }
}

const aligned = (offset: number): number => Math.ceil(offset / ggufAlignment) * ggufAlignment;

const padding = (length: number): Buffer => Buffer.alloc(aligned(length) - length);

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
}

function i32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32LE(value);
  return buffer;
}

function f32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeFloatLE(value);
  return buffer;
}

function u64(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}
