import fc from 'fast-check';
import { decodeRecords, encodeRecord } from './record';

const float32 = fc.float32Array({ noNaN: true, maxLength: 20 });
const int16 = fc.int16Array({ maxLength: 20 });
const int32 = fc.int32Array({ maxLength: 20 });

const toBytes = (array: ArrayBufferView | undefined): Buffer =>
  Buffer.from(array?.buffer ?? new ArrayBuffer(0), array?.byteOffset, array?.byteLength);

describe('journal records', () => {
  it('are restored bit for bit, including typed arrays and any text of a client', () => {
    fc.assert(
      fc.property(fc.jsonValue(), int32, float32, int16, fc.string(), (json, ids, logprobs, experts, text) => {
        const value = { json: JSON.parse(JSON.stringify(json)) as unknown, text, tokens: { ids, logprobs }, experts };
        const { values, wholeBytes } = decodeRecords(encodeRecord(value));
        expect(wholeBytes).toBe(encodeRecord(value).length);
        const [back] = values as (typeof value)[];
        expect(JSON.stringify(back?.json)).toBe(JSON.stringify(value.json));
        expect(back?.text).toBe(text);
        expect(toBytes(back?.tokens.ids)).toEqual(toBytes(ids));
        expect(toBytes(back?.tokens.logprobs)).toEqual(toBytes(logprobs));
        expect(toBytes(back?.experts)).toEqual(toBytes(experts));
      }),
    );
  });

  const records = [{ a: 1 }, { ids: Int32Array.of(1, 2) }, { b: 'text', zeros: new Int32Array(4) }].map(encodeRecord);
  const file = Buffer.concat(records);
  const positions = fc.integer({ min: 0, max: file.length - 1 });

  it('end at an incomplete one after an interrupted write, which is not damage', () => {
    const ends = records.map((_, at) => Buffer.concat(records.slice(0, at + 1)).length);
    fc.assert(
      fc.property(positions, (at) => {
        const whole = ends.filter((end) => end <= at);
        const { values, wholeBytes, damagedBytes } = decodeRecords(file.subarray(0, at));
        expect([values.length, wholeBytes, damagedBytes]).toEqual([whole.length, whole.at(-1) ?? 0, 0]);
      }),
    );
  });

  it('are all read except the one with a changed byte, whose bytes are counted', () => {
    fc.assert(
      fc.property(positions, fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(file);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        const ends = records.map((_, index) => Buffer.concat(records.slice(0, index + 1)).length);
        const hit = ends.findIndex((end) => end > at);
        const { values, wholeBytes, damagedBytes } = decodeRecords(damaged);
        expect(values).toEqual(decodeRecords(Buffer.concat(records.toSpliced(hit, 1))).values);
        expect([wholeBytes, damagedBytes]).toEqual([file.length, records[hit]?.length]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are read after damage at the former end, if they were appended later', () => {
    const damaged = Buffer.from(file);
    damaged[file.length - 1] = 1;
    const { values } = decodeRecords(Buffer.concat([damaged, encodeRecord({ later: true })]));
    expect(values).toEqual([...decodeRecords(Buffer.concat(records.slice(0, 2))).values, { later: true }]);
  });
});
