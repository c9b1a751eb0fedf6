import { openSafetensors, type SafetensorsSource } from './open-safetensors';
import { readSafetensors } from './read-safetensors';
import { createTensor } from './tensor';
import { writeSafetensors } from './write-safetensors';

const file = writeSafetensors(
  {
    ids: createTensor('int32', [4], Int32Array.of(1, 2, 3, 4)),
    mask: createTensor('bool', [1, 3], Uint8Array.of(1, 0, 1)),
  },
  { metadata: { kind: 'test' } },
);

const sourceOf = (bytes: Uint8Array, size = bytes.byteLength): SafetensorsSource => ({
  size,
  read: (position, length) => Promise.resolve(bytes.slice(position, position + length)),
});

const invalid = (reason: string): Error => expect.objectContaining({ reason }) as Error;

describe('openSafetensors', () => {
  it('returns names, dtypes, shapes and metadata without the data', async () => {
    const reader = await openSafetensors(sourceOf(file));
    expect(reader.metadata).toEqual({ kind: 'test' });
    expect(reader.tensors).toEqual({
      ids: { dtype: 'int32', shape: [4] },
      mask: { dtype: 'bool', shape: [1, 3] },
    });
  });

  it('reads a tensor as a list, whole or in part', async () => {
    const reader = await openSafetensors(sourceOf(file));
    expect(await reader.read('ids')).toEqual(createTensor('int32', [4], Int32Array.of(1, 2, 3, 4)));
    expect(await reader.read('ids', 1, 3)).toEqual(createTensor('int32', [2], Int32Array.of(2, 3)));
    expect(await reader.read('ids', 2, 2)).toEqual(createTensor('int32', [0], new Int32Array(0)));
    expect(await reader.read('mask')).toEqual(createTensor('bool', [3], Uint8Array.of(1, 0, 1)));
  });

  it.each([
    [0, 5],
    [-1, 2],
    [3, 2],
  ])('refuses the range from %i to %i', async (begin, end) => {
    const reader = await openSafetensors(sourceOf(file));
    await expect(reader.read('ids', begin, end)).rejects.toEqual(invalid('tensor_data_mismatch'));
  });

  it('refuses a tensor that the file does not have', async () => {
    const reader = await openSafetensors(sourceOf(file));
    await expect(reader.read('other')).rejects.toEqual(invalid('safetensors_invalid'));
  });

  it.each([
    ['too short', file.slice(0, 7)],
    ['cut in the header', file.slice(0, 20)],
    ['cut in the data', file.slice(0, -1)],
    ['longer than its tensors', Uint8Array.of(...file, 0)],
  ])('refuses a file that is %s, like reading it whole', async (_what, bytes) => {
    expect(() => readSafetensors(bytes)).toThrow(invalid('safetensors_invalid'));
    await expect(openSafetensors(sourceOf(bytes))).rejects.toEqual(invalid('safetensors_invalid'));
  });
});
