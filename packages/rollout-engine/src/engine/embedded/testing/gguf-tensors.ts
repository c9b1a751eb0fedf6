import { readFileSync } from 'node:fs';

/** A tensor by its name without `.weight`. */
export type TensorTable = (name: string) => Float32Array;

/** The tensors of a small file of 32-bit floats, found by walking through its header. */
export function readTensors(file: string): TensorTable {
  const bytes = readFileSync(file);
  let at = 8;
  const u32 = (): number => bytes.readUInt32LE((at += 4) - 4);
  const u64 = (): number => Number(bytes.readBigUInt64LE((at += 8) - 8));
  const text = (): string => {
    const length = u64();
    return bytes.toString('utf8', at, (at += length));
  };
  const widths = [1, 1, 2, 2, 4, 4, 4, 1];
  const skip = (type: number): void => {
    if (type === 8) text();
    else if (type === 9) {
      const element = u32();
      for (let left = u64(); left > 0; left--) skip(element);
    } else at += widths[type] ?? 8;
  };
  const tensorCount = u64();
  for (let left = u64(); left > 0; left--) {
    text();
    skip(u32());
  }
  const infos = Array.from({ length: tensorCount }, () => {
    const name = text().replace(/\.weight$/, '');
    const size = Array.from({ length: u32() }, u64).reduce((product, length) => product * length, 1);
    const type = u32();
    if (type !== 0) throw new Error('Only 32-bit floats are read.');
    return { name, size, offset: u64() };
  });
  const start = Math.ceil(at / 32) * 32;
  const tensors = new Map(
    infos.map(({ name, size, offset }) => {
      const from = start + offset;
      return [name, Float32Array.from({ length: size }, (_, index) => bytes.readFloatLE(from + index * 4))] as const;
    }),
  );
  return (name) => {
    const tensor = tensors.get(name);
    if (tensor === undefined) throw new Error(`There is no tensor ${name}.`);
    return tensor;
  };
}
