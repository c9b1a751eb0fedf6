import fc from 'fast-check';
import { decodeRecords, encodeRecord } from './record';

const float32 = fc.float32Array({ noNaN: true, maxLength: 20 });
const int32 = fc.int32Array({ maxLength: 20 });

const toBytes = (array: ArrayBufferView | undefined): Buffer =>
  Buffer.from(array?.buffer ?? new ArrayBuffer(0), array?.byteOffset, array?.byteLength);

describe('journal records', () => {
  it('come back with the same bits, typed arrays and any text of a client among them', () => {
    fc.assert(
      fc.property(fc.jsonValue(), int32, float32, fc.string(), (json, ids, logprobs, text) => {
        const value = { json: JSON.parse(JSON.stringify(json)) as unknown, text, tokens: { ids, logprobs } };
        const { values, wholeBytes } = decodeRecords(encodeRecord(value));
        expect(wholeBytes).toBe(encodeRecord(value).length);
        const [back] = values as (typeof value)[];
        expect(JSON.stringify(back?.json)).toBe(JSON.stringify(value.json));
        expect(back?.text).toBe(text);
        expect(toBytes(back?.tokens.ids)).toEqual(toBytes(ids));
        expect(toBytes(back?.tokens.logprobs)).toEqual(toBytes(logprobs));
      }),
    );
  });

  it('end at the first incomplete one, wherever the file was truncated or a byte was changed', () => {
    const records = [{ a: 1 }, { ids: Int32Array.of(1, 2) }, { b: 'text' }].map(encodeRecord);
    const file = Buffer.concat(records);
    const ends = records.map((_, at) => Buffer.concat(records.slice(0, at + 1)).length);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: file.length - 1 }), fc.boolean(), (at, isCut) => {
        const damaged = isCut ? file.subarray(0, at) : Buffer.from(file);
        if (!isCut) damaged[at] = (damaged[at] ?? 0) ^ 0xff;
        const whole = ends.filter((end) => end <= at);
        expect(decodeRecords(damaged)).toMatchObject({ wholeBytes: whole.at(-1) ?? 0 });
        expect(decodeRecords(damaged).values).toHaveLength(whole.length);
      }),
    );
  });
});
