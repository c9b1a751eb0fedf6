import fc from 'fast-check';
import { concatenate, concatenateDicts, slice, sliceDict } from './concatenate';
import type { DType } from './dtype';
import { createTensor, type Tensor } from './tensor';

const failure = (reason: string): Error => expect.objectContaining({ code: 'invalid_request', reason }) as Error;

const int32 = (shape: number[], ...values: number[]) => createTensor('int32', shape, Int32Array.from(values));

describe('concatenate', () => {
  it('appends the rows of one to another', () => {
    expect(concatenate([int32([1, 2], 1, 2), int32([2, 2], 3, 4, 5, 6), int32([0, 2])])).toEqual(
      int32([3, 2], 1, 2, 3, 4, 5, 6),
    );
  });

  it('does not share memory with its parts', () => {
    const part = int32([1], 1);
    const joined = concatenate([part]);
    part.data[0] = 9;
    expect(joined.data[0]).toBe(1);
  });

  it.each<[string, Tensor[]]>([
    ['no tensors', []],
    ['scalars', [int32([], 1)]],
    ['different later axes', [int32([1, 2], 1, 2), int32([2, 1], 1, 2)]],
    ['different ranks', [int32([2], 1, 2), int32([1, 2], 1, 2)]],
    ['different dtypes', [int32([1], 1), createTensor('float32', [1], Float32Array.of(1))]],
  ])('refuses %s', (_case, tensors) => {
    expect(() => concatenate<DType>(tensors)).toThrow(failure('tensors_not_compatible'));
  });

  it('undoes slicing at any row and keeps every bit', () => {
    const rows = fc.array(fc.tuple(fc.nat(0xffffffff), fc.nat(0xffffffff)), { maxLength: 20 });
    fc.assert(
      fc.property(rows, fc.nat(20), (bits, cut) => {
        const data = new Float32Array(Uint32Array.from(bits.flat()).buffer);
        const whole = createTensor('float32', [bits.length, 2], data);
        const middle = Math.min(cut, bits.length);
        const joined = concatenate([slice(whole, 0, middle), slice(whole, middle, bits.length)]);
        expect(joined.shape).toEqual(whole.shape);
        expect(new Uint32Array(joined.data.buffer)).toEqual(new Uint32Array(data.buffer));
      }),
    );
  });
});

describe('concatenateDicts', () => {
  it('concatenates name by name', () => {
    const joined = concatenateDicts([
      { a: int32([1], 1), b: int32([1, 1], 2) },
      { b: int32([1, 1], 4), a: int32([1], 3) },
    ]);
    expect(joined).toEqual({ a: int32([2], 1, 3), b: int32([2, 1], 2, 4) });
  });

  it.each([
    ['no dictionaries', []],
    ['a missing name', [{ a: int32([1], 1), b: int32([1], 1) }, { a: int32([1], 1) }]],
    ['another name', [{ a: int32([1], 1) }, { b: int32([1], 1) }]],
  ])('refuses %s', (_case, dicts) => {
    expect(() => concatenateDicts(dicts)).toThrow(failure('tensors_not_compatible'));
  });
});

describe('slice', () => {
  it('returns a view on the same memory', () => {
    const whole = int32([3, 2], 1, 2, 3, 4, 5, 6);
    const part = slice(whole, 1, 2);
    expect(part).toEqual(int32([1, 2], 3, 4));
    part.data[0] = 30;
    expect(whole.data[2]).toBe(30);
  });

  it.each([
    [-1, 1],
    [2, 1],
    [0, 4],
    [0.5, 1],
    [0, Number.NaN],
  ])('refuses rows %p to %p of three', (start, end) => {
    expect(() => slice(int32([3], 1, 2, 3), start, end)).toThrow(failure('slice_out_of_range'));
  });

  it('refuses a scalar', () => {
    expect(() => slice(int32([], 1), 0, 0)).toThrow(failure('slice_out_of_range'));
  });

  it('slices a dictionary name by name', () => {
    expect(sliceDict({ a: int32([2], 1, 2), b: int32([2, 0]) }, 1, 2)).toEqual({ a: int32([1], 2), b: int32([1, 0]) });
  });
});
