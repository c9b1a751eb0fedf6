import { readPieces } from './line-text';

const read = (text: string, limit = Infinity) => readPieces(text, [], limit);

it('splits a line at its changes of colour', () => {
  expect(read('plain \x1b[31mred \x1b[1mbold\x1b[0m plain')).toMatchObject([
    { text: 'plain ', decorations: [] },
    { text: 'red ', colour: 1 },
    { text: 'bold', colour: 1, decorations: ['bold'] },
    { text: ' plain' },
  ]);
});

it('reads bright, palette and true colours, as text and as background', () => {
  expect(read('\x1b[92mbright\x1b[0m')).toMatchObject([{ colour: 10 }]);
  expect(read('\x1b[38;5;9mpalette\x1b[0m')).toMatchObject([{ colour: 9 }]);
  expect(read('\x1b[48;5;27mpalette\x1b[0m')).toMatchObject([{ exactBackground: 'rgb(0 95 255)' }]);
  expect(read('\x1b[38;2;200;0;0mtrue\x1b[0m')).toMatchObject([{ exact: { light: 'rgb(200 0 0)' } }]);
  expect(read('\x1b[7mreversed\x1b[0m')).toMatchObject([{ background: 7 }]);
});

it('replaces colours that would be unreadable on the page', () => {
  const [piece] = read('\x1b[38;2;255;255;254mnearly white\x1b[0m');

  expect(piece?.exact?.dark).toBe('rgb(255 255 254)');
  expect(piece?.exact?.light).not.toBe('rgb(255 255 254)');
});

it('shows a line with thousands of colours, up to a limit', () => {
  const bomb = '\x1b[1m\x1b[31mx\x1b[32my'.repeat(4000);

  const pieces = read(bomb);
  expect(pieces.length).toBeLessThanOrEqual(501);
  expect(pieces.map(({ text }) => text).join('')).toBe('xy'.repeat(4000));
});

it('turns only web addresses into links', () => {
  expect(read('see https://example.com/a(b). or javascript:alert(1)')).toMatchObject([
    { text: 'see ' },
    { text: 'https://example.com/a(b)', address: 'https://example.com/a(b)' },
    { text: '. or javascript:alert(1)' },
  ]);
  expect(read('(https://example.com/docs)')[1]).toMatchObject({ address: 'https://example.com/docs' });
});

it('marks matches at their displayed position, after any text', () => {
  const text = '10%\r\x1b[32mall done\x1b[0m';
  const start = text.indexOf('done');

  expect(readPieces(text, [{ start, end: start + 4 }], Infinity)).toMatchObject([
    { text: 'all ', isFound: false },
    { text: 'done', isFound: true, colour: 2 },
  ]);
});

it('ends at its limit', () => {
  const pieces = read(`abc\x1b[31m${'d'.repeat(100)}`, 10);

  expect(pieces.map(({ text }) => text).join('')).toBe('abcddddddd');
});
