import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSafetensors, type SafetensorsReadLimits } from './read-safetensors';
import { createTensor, type TensorDict } from './tensor';
import { writeSafetensors } from './write-safetensors';

const failure = (reason: string, code = 'invalid_request'): Error => expect.objectContaining({ code, reason }) as Error;

/** The Python package made the file; this package's README says how. */
const reference = () => new Uint8Array(readFileSync(join(__dirname, '__fixtures__/reference.safetensors')));

const specialBits = Uint32Array.of(0x80000000, 0x7f800000, 0xff800000, 0x7fc12345, 0x7f812345, 0x00000001);

const referenceTensors: TensorDict = {
  input_ids: createTensor('int32', [1, 3], Int32Array.of(5, 6, 7)),
  attention_mask: createTensor('bool', [1, 3], Uint8Array.of(1, 0, 1)),
  logprobs: createTensor('float32', [1, 3], Float32Array.of(0, -0.5, -1.25)),
  special: createTensor('float32', [2, 3], new Float32Array(specialBits.buffer)),
  extremes: createTensor('int32', [2], Int32Array.of(-(2 ** 31), 2 ** 31 - 1)),
  empty: createTensor('float32', [0, 4], new Float32Array(0)),
  scalar: createTensor('float32', [], Float32Array.of(2.5)),
  größe: createTensor('int32', [1], Int32Array.of(1)),
};

describe('a file of the reference implementation', () => {
  it('is read with all its bits', () => {
    const file = readSafetensors(reference());
    expect(file.metadata).toEqual({ format: 'np' });
    expect(file.tensors).toEqual(referenceTensors);
    const special = file.tensors.special;
    expect(special && new Uint32Array(special.data.buffer, special.data.byteOffset, 6)).toEqual(specialBits);
  });

  it('equals the output of this package, byte for byte', () => {
    const written = writeSafetensors(referenceTensors, { metadata: { format: 'np' } });
    expect(Buffer.from(written).equals(reference())).toBe(true);
  });
});

describe('writeSafetensors', () => {
  it('writes an empty dictionary as a padded empty header', () => {
    expect(Buffer.from(writeSafetensors({})).toString('latin1')).toBe('\x08\0\0\0\0\0\0\0{}      ');
  });

  it('starts the data at a multiple of eight', () => {
    const file = writeSafetensors({ a: createTensor('bool', [1], Uint8Array.of(1)) });
    expect((file.byteLength - 1) % 8).toBe(0);
  });

  it.each(['__metadata__', '', '\udc00'])('refuses the name %p', (name) => {
    const dict = { [name]: createTensor('bool', [0], new Uint8Array(0)) };
    expect(() => writeSafetensors(dict)).toThrow(failure('tensor_name_invalid'));
  });

  it('refuses metadata that has no UTF-8 form', () => {
    expect(() => writeSafetensors({}, { metadata: { a: '\ud800' } })).toThrow(failure('safetensors_invalid'));
  });
});

function aFile(header: string | Uint8Array, dataLength = 0, headerLength?: bigint): Uint8Array {
  const bytes = typeof header === 'string' ? new TextEncoder().encode(header) : header;
  const file = new Uint8Array(8 + bytes.byteLength + dataLength);
  new DataView(file.buffer).setBigUint64(0, headerLength ?? BigInt(bytes.byteLength), true);
  file.set(bytes, 8);
  return file;
}

const entry = (begin: number, end: number, shape: unknown = [(end - begin) / 4], dtype: unknown = 'F32') =>
  JSON.stringify({ dtype, shape, data_offsets: [begin, end] });

describe('readSafetensors', () => {
  it('reads a header with blanks between its tokens and tensors in any order', () => {
    const file = aFile(`{ "b" : ${entry(4, 8)} ,\n "a\\":" : ${entry(0, 4)} }  `, 8);
    expect(Object.keys(readSafetensors(file).tensors)).toEqual(['b', 'a":']);
  });

  it('accepts empty tensors anywhere between others', () => {
    const file = aFile(`{"a":${entry(0, 4)},"b":${entry(4, 4)},"c":${entry(4, 8)},"d":${entry(8, 8)}}`, 8);
    expect(Object.keys(readSafetensors(file).tensors)).toHaveLength(4);
  });

  it.each<[string, Uint8Array, string]>([
    ['an empty file', new Uint8Array(0), 'safetensors_invalid'],
    ['seven bytes', new Uint8Array(7), 'safetensors_invalid'],
    ['a header of no bytes', new Uint8Array(8), 'safetensors_invalid'],
    ['a header past the end', aFile('{}', 0, 3n), 'safetensors_invalid'],
    ['a header length of 2^64 - 1', aFile('{}', 0, 2n ** 64n - 1n), 'safetensors_invalid'],
    ['a header length of 2^63', aFile('{}', 0, 2n ** 63n), 'safetensors_invalid'],
    ['a header that is not UTF-8', aFile(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d)), 'safetensors_invalid'],
    ['a byte order mark', aFile('\ufeff{}'), 'safetensors_invalid'],
    ['a blank before the header', aFile(' {}'), 'safetensors_invalid'],
    ['a header that is a list', aFile('[]'), 'safetensors_invalid'],
    ['half a header', aFile('{"a":'), 'safetensors_invalid'],
    ['two headers', aFile('{}{}'), 'safetensors_invalid'],
    ['deep nesting', aFile(`{"a":${'['.repeat(100_000)}`), 'safetensors_invalid'],
    ['deep nesting that is closed', aFile(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`), 'safetensors_invalid'],
    ['bytes after the last tensor', aFile('{}', 1), 'safetensors_invalid'],
    ['a hole at the start', aFile(`{"a":${entry(4, 8)}}`, 8), 'safetensors_invalid'],
    ['a hole between', aFile(`{"a":${entry(0, 4)},"b":${entry(8, 12)}}`, 12), 'safetensors_invalid'],
    ['an overlap', aFile(`{"a":${entry(0, 8)},"b":${entry(4, 12)}}`, 12), 'safetensors_invalid'],
    ['two tensors on the same bytes', aFile(`{"a":${entry(0, 4)},"b":${entry(0, 4)}}`, 4), 'safetensors_invalid'],
    ['data past the end', aFile(`{"a":${entry(0, 8)}}`, 4), 'safetensors_invalid'],
    ['data that ends before it begins', aFile(`{"a":${entry(4, 0, [1])}}`, 4), 'safetensors_invalid'],
    ['a negative offset', aFile(`{"a":${entry(-4, 0)}}`), 'safetensors_invalid'],
    ['an offset past the safe integers', aFile(`{"a":${entry(2 ** 60, 2 ** 60)}}`), 'safetensors_invalid'],
    ['three offsets', aFile('{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0,0]}}'), 'safetensors_invalid'],
    [
      'offsets that are strings',
      aFile('{"a":{"dtype":"F32","shape":[0],"data_offsets":["0","0"]}}'),
      'safetensors_invalid',
    ],
    ['a further member', aFile('{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0],"x":0}}'), 'safetensors_invalid'],
    ['a missing member', aFile('{"a":{"dtype":"F32","shape":[0]}}'), 'safetensors_invalid'],
    ['an entry that is null', aFile('{"a":null}'), 'safetensors_invalid'],
    ['a name twice', aFile(`{"a":${entry(0, 4)},"a":${entry(0, 4)}}`, 4), 'safetensors_invalid'],
    ['a name twice, once escaped', aFile(`{"a":${entry(0, 4)},"\\u0061":${entry(0, 4)}}`, 4), 'safetensors_invalid'],
    [
      'a member twice',
      aFile('{"a":{"dtype":"F32","dtype":"F32","shape":[0],"data_offsets":[0,0]}}'),
      'safetensors_invalid',
    ],
    ['a metadata key twice', aFile('{"__metadata__":{"a":"1","a":"2"}}'), 'safetensors_invalid'],
    ['metadata twice', aFile('{"__metadata__":{},"__metadata__":{}}'), 'safetensors_invalid'],
    ['metadata that is not text', aFile('{"__metadata__":{"a":1}}'), 'safetensors_invalid'],
    ['metadata that is a list', aFile('{"__metadata__":[]}'), 'safetensors_invalid'],
    ['an empty name', aFile(`{"":${entry(0, 0)}}`), 'tensor_name_invalid'],
    ['a name of half a surrogate pair', aFile(`{"\\ud800":${entry(0, 0)}}`), 'tensor_name_invalid'],
    ['another dtype', aFile(`{"a":${entry(0, 8, [1], 'F64')}}`, 8), 'tensor_dtype_unknown'],
    ['a dtype in our own spelling', aFile(`{"a":${entry(0, 4, [1], 'float32')}}`, 4), 'tensor_dtype_unknown'],
    ['a shape with a fraction', aFile(`{"a":${entry(0, 4, [0.5, 2])}}`, 4), 'tensor_shape_invalid'],
    ['a shape whose product overflows', aFile(`{"a":${entry(0, 0, [2 ** 52, 4, 0])}}`), 'tensor_shape_invalid'],
    ['fewer bytes than the shape demands', aFile(`{"a":${entry(0, 4, [2])}}`, 4), 'tensor_data_mismatch'],
    ['a bool of four bytes', aFile(`{"a":${entry(0, 4, [1], 'BOOL')}}`, 4), 'tensor_data_mismatch'],
  ])('refuses %s', (_case, file, reason) => {
    expect(() => readSafetensors(file)).toThrow(failure(reason));
  });

  it('refuses a bool other than 0 and 1', () => {
    const file = writeSafetensors({ a: createTensor('bool', [2], Uint8Array.of(1, 0)) });
    file[file.byteLength - 1] = 2;
    expect(() => readSafetensors(file)).toThrow(failure('tensor_bool_invalid'));
  });

  it.each<[string, SafetensorsReadLimits, string, string]>([
    ['a header over the limit', { maxHeaderBytes: 100 }, 'safetensors_invalid', 'invalid_request'],
    [
      'everything when the limit is no number',
      { maxHeaderBytes: Number.NaN },
      'safetensors_invalid',
      'invalid_request',
    ],
    ['more tensors than allowed', { maxTensors: 1 }, 'tensors_too_large', 'payload_too_large'],
  ])('refuses %s', (_case, limits, reason, code) => {
    const file = aFile(`{"a":${entry(0, 0)},"b":${entry(0, 0)}}`);
    expect(readSafetensors(file).tensors).toHaveProperty('b');
    expect(() => readSafetensors(file, limits)).toThrow(failure(reason, code));
  });
});
