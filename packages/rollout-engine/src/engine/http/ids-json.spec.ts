import fc from 'fast-check';
import { idsJson } from './ids-json';

describe('idsJson', () => {
  it('writes text that JSON reads as the same ids', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0x7fffffff)), (ids) => {
        expect(JSON.parse(idsJson(Int32Array.from(ids)))).toEqual(ids);
      }),
    );
  });

  it('writes an empty list, and the largest ids', () => {
    expect([idsJson(new Int32Array(0)), idsJson(Int32Array.of(0, 0x7fffffff))]).toEqual(['[]', '[0,2147483647]']);
  });
});
