import { quote } from './quote';

describe('quote', () => {
  it.each([
    ['a string', 'plain "words"', '"plain \\"words\\""'],
    ['text of any script', 'שלום 🚀', '"שלום 🚀"'],
    ['a terminal escape', '\u001b[2J\u009b2J\u007f', '"\\u001b[2J\\u009b2J\\u007f"'],
    ['a change of direction', '\u202etxt.sh\u2066', '"\\u202etxt.sh\\u2066"'],
    ['line ends of every kind', 'a\nb\u2028c\u0085d', '"a\\nb\\u2028c\\u0085d"'],
    ['half of a pair', 'a\ud83d', '"a\\ud83d"'],
  ])('shows %s', (_, text, shown) => {
    expect(quote(text)).toBe(shown);
  });

  it('cuts a long text', () => {
    expect(quote('x'.repeat(1000))).toBe(`"${'x'.repeat(80)}…"`);
  });
});
