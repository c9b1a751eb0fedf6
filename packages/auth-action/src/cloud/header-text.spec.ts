import { headerText } from './header-text';

describe('headerText', () => {
  it.each([
    ['incident 7', 'incident 7'],
    ['  two\r\n lines\u0000\u007f\u0085 ', 'two lines'],
    ['für 🚀', 'für %F0%9F%9A%80'],
    ['half \ud800', 'half %EF%BF%BD'],
    ['x'.repeat(2000), 'x'.repeat(1024)],
  ])('of %j is %j', (text, expected) => {
    expect(headerText(text)).toBe(expected);
  });
});
