import fc from 'fast-check';
import { dtypeInfo, type DType } from './dtype';
import { tensorDictFromJson, tensorDictToJson } from './json-form';
import { littleEndianBytes } from './little-endian';
import { readSafetensors } from './read-safetensors';
import { createTensor, type Tensor, type TensorDict } from './tensor';
import { writeSafetensors } from './write-safetensors';

/** Any tensor of any bits: floats are made from 32 random bits, so NaN payloads and -0 occur. */
const anyTensor: fc.Arbitrary<Tensor> = fc
  .tuple(fc.constantFrom<DType>('int32', 'float32', 'bool'), fc.array(fc.nat(4), { maxLength: 4 }))
  .chain(([dtype, shape]) => {
    const count = shape.reduce((product, size) => product * size, 1);
    const element = dtype === 'bool' ? fc.nat(1) : fc.nat(0xffffffff);
    return fc.array(element, { minLength: count, maxLength: count }).map((bits): Tensor => {
      const memory = dtype === 'bool' ? Uint8Array.from(bits) : Uint32Array.from(bits);
      return createTensor<DType>(dtype, shape, dtypeInfo[dtype].view(memory.buffer, 0, count));
    });
  });

const anyName = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom('__proto__', '1', '0', 'toString'),
  )
  .filter((name) => name !== '__metadata__' && name.length <= 256);

const anyDict: fc.Arbitrary<TensorDict> = fc
  .uniqueArray(fc.tuple(anyName, anyTensor), { selector: ([name]) => name, maxLength: 6 })
  .map((entries) => Object.fromEntries(entries));

/** Everything that must survive, in a form that tells all bit patterns apart. */
const bits = (dict: TensorDict) =>
  new Map(
    Object.entries(dict).map(([name, tensor]) => [
      name,
      { dtype: tensor.dtype, shape: [...tensor.shape], bytes: Buffer.from(littleEndianBytes(tensor)).toString('hex') },
    ]),
  );

describe('the JSON form', () => {
  it('restores the same bits from JSON text', () => {
    fc.assert(
      fc.property(anyDict, (dict) => {
        const text = JSON.stringify(tensorDictToJson(dict));
        expect(bits(tensorDictFromJson(JSON.parse(text)))).toEqual(bits(dict));
      }),
    );
  });
});

describe('the safetensors form', () => {
  const anyText = fc.string({ unit: 'grapheme', maxLength: 20 });

  it('restores the same bits and metadata', () => {
    fc.assert(
      fc.property(anyDict, fc.dictionary(anyText, anyText, { maxKeys: 4 }), (dict, metadata) => {
        const file = readSafetensors(writeSafetensors(dict, { metadata }));
        expect(bits(file.tensors)).toEqual(bits(dict));
        expect(Object.entries(file.metadata).sort()).toEqual(Object.entries(metadata).sort());
      }),
    );
  });

  it('restores the same bits for a file at any address in memory', () => {
    fc.assert(
      fc.property(anyDict, fc.integer({ min: 0, max: 7 }), (dict, shift) => {
        const file = writeSafetensors(dict);
        const memory = new Uint8Array(file.byteLength + shift);
        memory.set(file, shift);
        expect(bits(readSafetensors(memory.subarray(shift)).tensors)).toEqual(bits(dict));
      }),
    );
  });

  it('does not depend on the order of the names', () => {
    fc.assert(
      fc.property(anyDict, (dict) => {
        const reversed = Object.fromEntries(Object.entries(dict).reverse());
        expect(Buffer.from(writeSafetensors(reversed)).equals(writeSafetensors(dict))).toBe(true);
      }),
    );
  });

  it('is read without copying and aligned', () => {
    fc.assert(
      fc.property(anyDict, (dict) => {
        const file = writeSafetensors(dict);
        for (const tensor of Object.values(readSafetensors(file).tensors)) {
          expect(tensor.data.buffer).toBe(file.buffer);
        }
      }),
    );
  });

  it('refuses or reads any damaged file, and never fails otherwise', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(anyDict, damage, fc.option(fc.nat(600)), (dict, changes, cut) => {
        const file = writeSafetensors(dict);
        for (const [place, byte] of changes) file[place % file.byteLength] = byte;
        const damaged = cut === null ? file : file.subarray(0, cut);
        try {
          readSafetensors(damaged);
        } catch (error) {
          expect(error).toMatchObject({
            name: 'AppError',
            code: expect.stringMatching(/^(invalid_request|payload_too_large)$/) as unknown,
          });
        }
      }),
      { numRuns: 1000 },
    );
  });
});
