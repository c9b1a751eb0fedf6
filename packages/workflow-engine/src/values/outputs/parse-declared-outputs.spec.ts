import { parseDeclaredOutputs } from './parse-declared-outputs';

const declared = [
  { name: 'a', type: 'string' },
  { name: 'b', type: 'json' },
] as const;

describe('parseDeclaredOutputs', () => {
  it.each([
    ['lines', 'a=1\nb={"x": [1]}\n', '1', { x: [1] }],
    ['the order of the declaration, blank lines and carriage returns', '\r\nb=2\r\n\na= x \r\n', ' x ', 2],
    ['values with the signs of records in them', 'a=b=c<<d\nb="="', 'b=c<<d', '='],
    ['several lines between delimiters', 'a<<END\none\n\n two=2\nEND\nb<<X\n{"k":\n1}\nX\n', 'one\n\n two=2', { k: 1 }],
    ['delimiters that are another word of the text', 'a<<E=F\nE\nE=F2\nE=F\nb=null', 'E\nE=F2', null],
    ['an empty value', 'a=\nb=0', '', 0],
    ['an empty record', 'a<<E\nE\nb=0', '', 0],
    ['text that a shell would expand, as it is', 'a=$(rm -rf /)`id`${x}\nb=1', '$(rm -rf /)`id`${x}', 1],
  ])('reads %s', (_, text, a, b) => {
    expect(parseDeclaredOutputs(text, declared)).toEqual({
      outputs: [
        { name: 'a', value: a },
        { name: 'b', value: b },
      ],
    });
  });

  it.each([
    ['', 'the output "a" was not written'],
    ['a=1', 'the output "b" was not written'],
    ['a=1\nb=2\nc=3', 'the output "c" is not declared'],
    ['a=1\na=2\nb=3', 'the output "a" was written twice'],
    ['a=1\nb<<E\n1', 'the delimiter of the output "b" is missing'],
    ['a=1\nb<<\n1', 'line 2 of the outputs has no delimiter after <<'],
    ['secret words', 'line 1 of the outputs is neither name=value nor name<<DELIMITER'],
    ['a=1\nb=secret', 'the output "b" is not JSON'],
    ['a=1\nb="\\u0000"', 'the output "b" contains a NUL character'],
    ['a=1\nb="\\ud800"', 'the output "b" contains half of a character'],
    ['a=1\nb=1e999', 'the output "b" holds a number that is too large'],
    [`a=1\nb=${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'the output "b" is nested deeper than 64 levels'],
    [`${'n'.repeat(1_000)}=1`, `the output "${'n'.repeat(80)}…" is not declared`],
  ])('refuses %.40j', (text, problem) => {
    expect(parseDeclaredOutputs(text, declared)).toEqual({ problem });
  });

  it('keeps a name that is special to objects', () => {
    const found = parseDeclaredOutputs('__proto__=x', [{ name: '__proto__', type: 'string' }]);
    expect(found).toEqual({ outputs: [{ name: '__proto__', value: 'x' }] });
  });
});
