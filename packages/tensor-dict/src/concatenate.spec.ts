import fc from 'fast-check';
import { concatenate } from './concatenate';
import type { DType } from './dtype';
import { createTensor, type Tensor } from './tensor';

const failure = (reason: string): Error => expect.objectContaining({ code: 'invalid_request', reason }) as Error;

const int32 = (shape: number[], ...values: number[]) => createTensor('int32', shape, Int32Array.from(values));

describe('concatenate', () => {
  it('puts rows after rows', () => {
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

  it('undoes a split at any row and keeps every bit', () => {
    const rows = fc.array(fc.tuple(fc.nat(0xffffffff), fc.nat(0xffffffff)), { maxLength: 20 });
    fc.assert(
      fc.property(rows, fc.nat(20), (bits, cut) => {
        const data = new Float32Array(Uint32Array.from(bits.flat()).buffer);
        const whole = createTensor('float32', [bits.length, 2], data);
        const middle = Math.min(cut, bits.length);
        const head = createTensor('float32', [middle, 2], data.subarray(0, middle * 2));
        const tail = createTensor('float32', [bits.length - middle, 2], data.subarray(middle * 2));
        const joined = concatenate([head, tail]);
        expect(joined.shape).toEqual(whole.shape);
        expect(new Uint32Array(joined.data.buffer)).toEqual(new Uint32Array(data.buffer));
      }),
    );
  });
});
