import { tensorFromJson, tensorToJson } from './json-form';
import { createTensor } from './tensor';

const failure = (reason: string, code = 'invalid_request'): Error => expect.objectContaining({ code, reason }) as Error;

describe('tensorToJson', () => {
  it('writes elements little-endian', () => {
    expect(tensorToJson(createTensor('int32', [1, 2], Int32Array.of(1, -1)))).toEqual({
      dtype: 'int32',
      shape: [1, 2],
      data: 'AQAAAP////8=',
    });
  });

  it('writes only the elements of a view', () => {
    const data = Int32Array.of(7, 1, 7).subarray(1, 2);
    expect(tensorToJson(createTensor('int32', [1], data)).data).toBe('AQAAAA==');
  });
});

describe('tensorFromJson', () => {
  it('reads bools', () => {
    expect([...tensorFromJson({ dtype: 'bool', shape: [3], data: 'AQAB' }).data]).toEqual([1, 0, 1]);
  });

  it('gives memory of its own', () => {
    const tensor = tensorFromJson({ dtype: 'bool', shape: [3], data: 'AQAB' });
    expect(tensor.data.buffer.byteLength).toBe(3);
  });

  it.each([
    ['null', null, 'tensor_json_invalid'],
    ['a list', [], 'tensor_json_invalid'],
    ['a missing member', { dtype: 'bool', shape: [] }, 'tensor_json_invalid'],
    ['a further member', { dtype: 'bool', shape: [1], data: 'AQ==', x: 1 }, 'tensor_json_invalid'],
    ['data that is a list', { dtype: 'bool', shape: [1], data: [1] }, 'tensor_json_invalid'],
    ['base64 without padding', { dtype: 'bool', shape: [1], data: 'AQ' }, 'tensor_data_mismatch'],
    ['base64 with left-over bits', { dtype: 'bool', shape: [1], data: 'AR==' }, 'tensor_json_invalid'],
    ['the URL alphabet', { dtype: 'int32', shape: [1], data: '_____w==' }, 'tensor_json_invalid'],
    ['a blank inside', { dtype: 'bool', shape: [3], data: 'AQ B' }, 'tensor_json_invalid'],
    ['padding in the middle', { dtype: 'bool', shape: [6], data: 'AQ==AQAB' }, 'tensor_json_invalid'],
    ['data shorter than the shape', { dtype: 'int32', shape: [2], data: 'AQAAAA==' }, 'tensor_data_mismatch'],
    ['data longer than the shape', { dtype: 'int32', shape: [0], data: 'AQAAAA==' }, 'tensor_data_mismatch'],
    ['a bool of 2', { dtype: 'bool', shape: [1], data: 'Ag==' }, 'tensor_bool_invalid'],
    ['another dtype', { dtype: 'float64', shape: [0], data: '' }, 'tensor_dtype_unknown'],
    ['a dtype that is a list', { dtype: ['bool'], shape: [0], data: '' }, 'tensor_dtype_unknown'],
    ['a shape of texts', { dtype: 'bool', shape: ['1'], data: 'AQ==' }, 'tensor_shape_invalid'],
    ['a shape that is an object', { dtype: 'bool', shape: { length: 1, 0: 1 }, data: 'AQ==' }, 'tensor_shape_invalid'],
  ])('refuses %s', (_case, value, reason) => {
    expect(() => tensorFromJson(value)).toThrow(failure(reason));
  });

  it('refuses more bytes than allowed', () => {
    const value = { dtype: 'bool', shape: [3], data: 'AQAB' };
    expect([...tensorFromJson(value, { maxBytes: 3 }).data]).toEqual([1, 0, 1]);
    expect(() => tensorFromJson(value, { maxBytes: 2 })).toThrow(failure('tensors_too_large', 'payload_too_large'));
  });

  it('refuses a huge shape before it takes memory', () => {
    const value = { dtype: 'int32', shape: [2 ** 40], data: 'AQAAAA==' };
    expect(() => tensorFromJson(value)).toThrow(failure('tensors_too_large', 'payload_too_large'));
  });
});
