import { emptyCommandFiles, parsePairs, readEffects } from './command-files';

describe('parsePairs', () => {
  it.each([
    ['a=1\n', { a: '1' }],
    ['a=1', { a: '1' }],
    ['a=b=c<<d\n', { a: 'b=c<<d' }],
    ['\na=1\n\nb=\n', { a: '1', b: '' }],
    ['a<<E\nx=1\n\ny\nE\nb=2\n', { a: 'x=1\n\ny', b: '2' }],
    ['a<<E=F\nx\nE=F\n', { a: 'x' }],
    ['a<<E\nE\n', { a: '' }],
    ['a<<E\r\nx\r\nE\r\n', { a: 'x\r' }],
    ['a=1\na=2\n', { a: '2' }],
    ['', {}],
  ])('reads %j', (text, pairs) => {
    expect(Object.fromEntries(parsePairs(text))).toEqual(pairs);
  });

  it.each([
    ['nonsense\n', "Invalid format 'nonsense'"],
    ['=1\n', 'Name must not be empty'],
    ['<<E\nx\nE\n', 'delimiter must not be empty'],
    ['a<<\nx\n', 'delimiter must not be empty'],
    ['a<<E\nx\n', "Matching delimiter not found 'E'"],
  ])('refuses %j', (text, message) => {
    expect(() => parsePairs(text)).toThrow(message);
  });
});

describe('readEffects', () => {
  it('refuses a summary of more than a mebibyte', () => {
    const effects = readEffects({ ...emptyCommandFiles, summary: Buffer.alloc(1_048_577, 'x') });
    expect(effects).toMatchObject({ summary: '', failed: false });
    expect(effects.errors).toEqual(['$GITHUB_STEP_SUMMARY upload aborted: at most 1048576 bytes, got 1048577.']);
  });
});
