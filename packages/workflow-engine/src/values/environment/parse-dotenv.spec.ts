import fc from 'fast-check';
import { parseDotenv } from './parse-dotenv';

describe('parseDotenv', () => {
  it.each([
    ['A=abc#def', { A: 'abc#def' }],
    ['A=#def', { A: '#def' }],
    ['A=abc #def', { A: 'abc' }],
    ['A=abc\t# def # ghi', { A: 'abc' }],
    ['A= # nothing', { A: '' }],
    ['A=', { A: '' }],
    ['A = b c ', { A: 'b c' }],
    ['export A=b', { A: 'b' }],
    ['  # a comment\n\nA=b\r\nB=c', { A: 'b', B: 'c' }],
    ['\uFEFFA=b', { A: 'b' }],
    ['A=b\nA=c', { A: 'c' }],
    ["A='x # y' # z", { A: 'x # y' }],
    ['A="x # y"# z', { A: 'x # y' }],
    ['A="say \\"hi\\"\\n\\t\\\\ \\d"', { A: 'say "hi"\n\t\\ \\d' }],
    ['A=\'say \\n "hi"\'', { A: 'say \\n "hi"' }],
    ['A=`it\'s "b"`', { A: 'it\'s "b"' }],
    ['A="first\nsecond=2\n# third"\nB=c', { A: 'first\nsecond=2\n# third', B: 'c' }],
    ["A=it's", { A: "it's" }],
    ['A={"b": 1}', { A: '{"b": 1}' }],
    ['A=$B ${C} $(d)', { A: '$B ${C} $(d)' }],
    ['A=Grüße 👋', { A: 'Grüße 👋' }],
    ['A=b==', { A: 'b==' }],
    ['A=b\rB=c', { A: 'b', B: 'c' }],
  ])('reads %j', (text, env) => {
    expect(parseDotenv(text)).toEqual({ env });
  });

  it.each([
    ['A=b\nsecret', 2, 'it is not NAME=value'],
    ['1A=b', 1, 'it is not NAME=value'],
    ['A-B=c', 1, 'it is not NAME=value'],
    ['A="x\ny"\nB="open\nC=d', 3, 'a quote is not closed'],
    ["A='b'c", 1, 'text follows a closing quote'],
  ])('refuses %j', (text, line, problem) => {
    expect(parseDotenv(text)).toEqual({ line, problem });
  });

  it('restores any value that is quoted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const plain = value.replaceAll(/\r\n?/g, '\n');
        const text = `A="${plain.replaceAll(/["\\]/g, '\\$&')}" # end\nB=c`;
        expect(parseDotenv(text)).toEqual({ env: { A: plain, B: 'c' } });
      }),
    );
  });
});
