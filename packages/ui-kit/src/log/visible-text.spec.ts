import { beginningOf, toVisible } from './visible-text';

describe('toVisible', () => {
  it.each([
    ['titles of the terminal', '\x1b]0;you are hacked\x07text', 'text'],
    ['links of the terminal', '\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\', 'click'],
    ['movements of the cursor', 'one\x1b[2Atwo\x1b[2K\x1b[?25l', 'onetwo'],
    ['a string that does not end', 'text\x1b]0;never ends', 'text'],
    ['an escape at the end', 'text\x1b', 'text'],
  ])('drops %s', (_, text, shown) => {
    expect(toVisible(text)).toBe(shown);
  });

  it('keeps changes of colour', () => {
    expect(toVisible('\x1b[1;31mred\x1b[0m')).toBe('\x1b[1;31mred\x1b[0m');
  });

  it('names invisible characters', () => {
    expect(toVisible('a\u202eb\x00c\x07d\u200be\x7f')).toBe('a[U+202E]b^@c^Gd[U+200B]e^?');
  });

  it('keeps tabs, and letters of all languages', () => {
    expect(toVisible('a\tשלום 👩‍💻 é')).toBe('a\tשלום 👩‍💻 é');
  });
});

describe('beginningOf', () => {
  it('is after the last carriage return that text follows', () => {
    expect('10%\r50%\r100%'.slice(beginningOf('10%\r50%\r100%'))).toBe('100%');
    expect('10%\r100%\r'.slice(beginningOf('10%\r100%\r'))).toBe('100%\r');
    expect(beginningOf('a line')).toBe(0);
  });
});
