import { runInNewContext } from 'node:vm';
import type { DType } from './dtype';
import { elementCount } from './shape';
import { createTensor, zeros } from './tensor';

const failure = (reason: string): Error => expect.objectContaining({ code: 'invalid_request', reason }) as Error;

describe('createTensor', () => {
  it('tags an array without copying it', () => {
    const data = Float32Array.of(1, 2, 3, 4, 5, 6);
    const tensor = createTensor('float32', [2, 3], data);
    expect(tensor).toEqual({ dtype: 'float32', shape: [2, 3], data });
    expect(tensor.data).toBe(data);
  });

  it('keeps the shape when the list it came from changes', () => {
    const shape = [2, 1];
    const tensor = createTensor('int32', shape, new Int32Array(2));
    shape[0] = 7;
    expect(tensor.shape).toEqual([2, 1]);
  });

  it('accepts a scalar and an empty tensor', () => {
    expect(createTensor('int32', [], Int32Array.of(4)).shape).toEqual([]);
    expect(createTensor('bool', [0, 3], new Uint8Array(0)).data).toHaveLength(0);
  });

  it('accepts an array of another realm', () => {
    const foreign = runInNewContext('Int32Array.of(1, 2)') as Int32Array;
    expect(createTensor('int32', [2], foreign).data).toBe(foreign);
  });

  it.each([
    ['another kind of array', 'int32', [2], new Float32Array(2), 'tensor_data_mismatch'],
    ['an ordinary list', 'float32', [2], [1, 2], 'tensor_data_mismatch'],
    ['fewer elements than the shape says', 'int32', [3], new Int32Array(2), 'tensor_data_mismatch'],
    ['a scalar without element', 'int32', [], new Int32Array(0), 'tensor_data_mismatch'],
    ['a bool of 2', 'bool', [2], Uint8Array.of(1, 2), 'tensor_bool_invalid'],
    ['another dtype', 'float64', [1], new Float64Array(1), 'tensor_dtype_unknown'],
    ['a dtype named after an object method', 'toString', [1], new Int32Array(1), 'tensor_dtype_unknown'],
    ['a negative size', 'int32', [-1], new Int32Array(1), 'tensor_shape_invalid'],
    ['a size of -0', 'int32', [-0], new Int32Array(0), 'tensor_shape_invalid'],
    ['half a size', 'int32', [0.5, 2], new Int32Array(1), 'tensor_shape_invalid'],
    ['a shape that is a number', 'int32', 1, new Int32Array(1), 'tensor_shape_invalid'],
    ['a shape with a hole', 'int32', new Array(1), new Int32Array(1), 'tensor_shape_invalid'],
    ['nine axes', 'int32', [1, 1, 1, 1, 1, 1, 1, 1, 1], new Int32Array(1), 'tensor_shape_invalid'],
  ])('refuses %s', (_case, dtype, shape, data, reason) => {
    expect(() => createTensor(dtype as DType, shape as number[], data as Int32Array)).toThrow(failure(reason));
  });
});

describe('elementCount', () => {
  it('refuses a product that is not a safe integer, even when another factor is zero', () => {
    expect(() => elementCount([2 ** 40, 2 ** 40])).toThrow(failure('tensor_shape_invalid'));
    expect(() => elementCount([2 ** 40, 2 ** 40, 0])).toThrow(failure('tensor_shape_invalid'));
  });
});

describe('zeros', () => {
  it.each(['int32', 'float32', 'bool'] as const)('creates a tensor of %s', (dtype) => {
    const tensor = zeros(dtype, [2, 2]);
    expect([...tensor.data]).toEqual([0, 0, 0, 0]);
    expect(createTensor(dtype, tensor.shape, tensor.data)).toEqual(tensor);
  });
});
