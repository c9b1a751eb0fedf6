import { hostByteOrder, littleEndianBytes, tensorFromLittleEndian } from './little-endian';
import { createTensor } from './tensor';

describe('littleEndianBytes', () => {
  const tensor = createTensor('int32', [2], Int32Array.of(0x01020304, -2));

  it('is a view on a little-endian machine', () => {
    expect(littleEndianBytes(tensor, 'little').buffer).toBe(tensor.data.buffer);
  });

  it('swaps a copy on a big-endian machine', () => {
    const native = new Uint8Array(tensor.data.buffer.slice(0));
    const swapped = littleEndianBytes(tensor, 'big');
    expect([...swapped]).toEqual([3, 2, 1, 0, 7, 6, 5, 4].map((index) => native[index]));
    expect(new Uint8Array(tensor.data.buffer)).toEqual(native);
  });

  it('never swaps bools', () => {
    const bools = createTensor('bool', [4], Uint8Array.of(1, 0, 0, 1));
    expect([...littleEndianBytes(bools, 'big')]).toEqual([1, 0, 0, 1]);
  });

  it('writes 1 as 1 0 0 0 on this machine', () => {
    expect([...littleEndianBytes(createTensor('int32', [], Int32Array.of(1)))]).toEqual([1, 0, 0, 0]);
  });

  it('agrees with the byte order of the machine', () => {
    const bytes = new Uint8Array(Int32Array.of(1).buffer);
    expect(hostByteOrder()).toBe(bytes[0] === 1 ? 'little' : 'big');
  });
});

describe('tensorFromLittleEndian', () => {
  it('undoes the swap of a big-endian machine, NaN payloads included', () => {
    const bits = Uint32Array.of(0x7f812345, 0xffc00001, 0x80000000);
    const tensor = createTensor('float32', [3], new Float32Array(bits.buffer));
    const back = tensorFromLittleEndian('float32', [3], littleEndianBytes(tensor, 'big'), 'big');
    expect(new Uint32Array(back.data.buffer)).toEqual(bits);
  });

  it('does not change the given bytes when it must swap', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4);
    tensorFromLittleEndian('int32', [1], bytes, 'big');
    expect([...bytes]).toEqual([1, 2, 3, 4]);
  });

  it('is a view on aligned bytes and a copy of others', () => {
    const memory = new Uint8Array(9);
    expect(tensorFromLittleEndian('int32', [1], memory.subarray(4, 8), 'little').data.buffer).toBe(memory.buffer);
    expect(tensorFromLittleEndian('int32', [1], memory.subarray(5, 9), 'little').data.buffer).not.toBe(memory.buffer);
  });

  it('copies from a Buffer that is not aligned', () => {
    const memory = Buffer.from(new ArrayBuffer(8), 1, 4);
    memory.writeInt32LE(1);
    const tensor = tensorFromLittleEndian('int32', [1], memory, 'little');
    memory.fill(7);
    expect(tensor.data[0]).toBe(1);
  });
});
