import { readInt32Experts, readNumpyExperts } from './read-experts';

const request = { from: 2, layers: 2, perToken: 1 };
const int32 = (...ids: readonly number[]) => Buffer.from(Int32Array.from(ids).buffer).toString('base64');

/** A file as `numpy.save` writes it. */
function numpy(shape: string, data: Uint8Array | Uint16Array | Int32Array, { type = '|u1', version = 1 } = {}): string {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape}), }`;
  const header = Buffer.from(`${text.padEnd(117)}\n`);
  const start = Buffer.alloc(version === 1 ? 10 : 12);
  start.write('\x93NUMPY', 'latin1');
  start[6] = version;
  if (version === 1) start.writeUInt16LE(header.length, 8);
  else start.writeUInt32LE(header.length, 8);
  return Buffer.concat([start, header, Buffer.from(data.buffer)]).toString('base64');
}

describe('readInt32Experts', () => {
  it('reads whole rows', () => {
    expect(readInt32Experts(int32(1, 2, 3, 256), request)).toEqual({ ...request, ids: Int16Array.of(1, 2, 3, 256) });
  });

  it.each([
    ['', 'nothing'],
    [int32(1, 2, 3), 'half a row'],
    ['AAAA', 'half an expert'],
  ])('refuses %p: %s', (text) => {
    expect(readInt32Experts(text, request)).toBeUndefined();
  });
});

describe('readNumpyExperts', () => {
  it('reads rows from the asked start, and leaves out those before it where all were sent', () => {
    const expected = { ...request, ids: Int16Array.of(5, 6, 7, 8) };
    expect(readNumpyExperts(numpy('2, 2, 1', Uint8Array.of(5, 6, 7, 8)), request, 5)).toEqual(expected);
    const all = Uint16Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    expect(readNumpyExperts(numpy('4, 2, 1', all, { type: '<u2', version: 2 }), request, 5)).toEqual(expected);
    const wide = Int32Array.from(all);
    expect(readNumpyExperts(numpy('4, 2, 1', wide, { type: '<i4' }), request, 5)).toEqual(expected);
  });

  it.each([
    ['another number of rows', numpy('3, 2, 1', new Uint8Array(6))],
    ['other layers', numpy('2, 1, 2', new Uint8Array(4))],
    ['a list', numpy('4,', new Uint8Array(4))],
    ['another type', numpy('2, 2, 1', new Uint8Array(4), { type: '<f4' })],
    ['less data', numpy('2, 2, 1', new Uint8Array(3))],
    ['no NumPy file', int32(1, 2, 3, 4)],
  ])('refuses %s', (_case, text) => {
    expect(readNumpyExperts(text, request, 5)).toBeUndefined();
  });
});
