import { tensorDictFromJson, tensorDictToJson, tensorFromJson, tensorToJson } from './json-form';
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

  it('returns memory of its own', () => {
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
    ['a shape of strings', { dtype: 'bool', shape: ['1'], data: 'AQ==' }, 'tensor_shape_invalid'],
    ['a shape that is an object', { dtype: 'bool', shape: { length: 1, 0: 1 }, data: 'AQ==' }, 'tensor_shape_invalid'],
  ])('refuses %s', (_case, value, reason) => {
    expect(() => tensorFromJson(value)).toThrow(failure(reason));
  });

  it('refuses a huge shape before it allocates memory', () => {
    const value = { dtype: 'int32', shape: [2 ** 40], data: 'AQAAAA==' };
    expect(() => tensorFromJson(value)).toThrow(failure('tensors_too_large', 'payload_too_large'));
  });
});

describe('tensorDictFromJson', () => {
  const one = { dtype: 'bool', shape: [3], data: 'AQAB' };

  it('reads a tensor named __proto__ as a tensor', () => {
    const dict = tensorDictFromJson(JSON.parse(`{"__proto__":${JSON.stringify(one)}}`));
    expect(Object.keys(dict)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(dict)).toBe(Object.prototype);
  });

  it('counts the bytes of all tensors together', () => {
    expect(Object.keys(tensorDictFromJson({ a: one, b: one }, { maxBytes: 6 }))).toEqual(['a', 'b']);
    expect(() => tensorDictFromJson({ a: one, b: one }, { maxBytes: 5 })).toThrow(
      failure('tensors_too_large', 'payload_too_large'),
    );
  });

  it('refuses more tensors than allowed', () => {
    expect(() => tensorDictFromJson({ a: one, b: one }, { maxTensors: 1 })).toThrow(
      failure('tensors_too_large', 'payload_too_large'),
    );
  });

  it.each(['', '__metadata__', 'x'.repeat(257), '\ud800'])('refuses the name %p', (name) => {
    expect(() => tensorDictFromJson({ [name]: one })).toThrow(failure('tensor_name_invalid'));
    expect(() => tensorDictToJson({ [name]: createTensor('bool', [0], new Uint8Array(0)) })).toThrow(
      failure('tensor_name_invalid'),
    );
  });

  it.each([[null], [[]], ['x']])('refuses %p', (value) => {
    expect(() => tensorDictFromJson(value)).toThrow(failure('tensor_json_invalid'));
  });
});
