import { createMasker, type Masker } from './masker';

function maskerFor(...secrets: readonly string[]): Masker {
  const masker = createMasker(secrets);
  if (masker === undefined) throw new Error('There is nothing to hide.');
  return masker;
}

/** What a stream shows of a string that arrives in parts of one length. */
function streamed(masker: Masker, text: string, partBytes: number): string {
  const stream = masker.stream();
  const bytes = Buffer.from(text);
  const shown: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += partBytes) shown.push(stream.push(bytes.subarray(at, at + partBytes)));
  return Buffer.concat([...shown, stream.end()]).toString('utf8');
}

describe('createMasker', () => {
  it('does nothing without secrets', () => {
    expect(createMasker([])).toBeUndefined();
    expect(createMasker([''])).toBeUndefined();
  });

  it.each([
    ['as it is', 'hunter22', 'key=hunter22;', 'key=*****;'],
    ['more than once', 'hunter22', 'hunter22 hunter22', '***** *****'],
    ['next to each other, as one', 'hunter22', 'hunter22hunter22', '*****'],
    ['without the white space around it', ' hunter22\n', 'hunter22', '*****'],
    ['with white space as a shell prints it', 'two  words', 'two words', '*****'],
    ['a line of it', 'first line\nsecond line', 'x second line y', 'x ***** y'],
    ['not a line that is nearly empty', 'first line\n}', '{}', '{}'],
    ['inside JSON', 'say "hi"\\now', String.raw`{"a":"say \"hi\"\\now"}`, '{"a":"*****"}'],
    ['inside JSON of ASCII only', 'pässwörd', String.raw`p\u00e4ssw\u00f6rd`, '*****'],
    ['quoted by a shell', "it's secret", String.raw`+ echo 'it'\''s secret'`, "+ echo '*****'"],
    ['in an address', 'a/b c+d', '?q=a%2Fb%20c%2Bd&r=a%2fb+c%2bd', '?q=*****&r=*****'],
    ['in base64', 'hunter22', Buffer.from('hunter22').toString('base64'), '*****'],
    ['in base64 without padding', 'hunter22', 'aHVudGVyMjI', '*****'],
  ])('hides a secret %s', (_, secret, text, expected) => {
    expect(maskerFor(secret).text(text)).toBe(expected);
  });

  it.each(['', 'x', 'user:', 'user'])('hides a secret in the base64 of something longer, after "%s"', (before) => {
    const shown = maskerFor('correct horse').text(Buffer.from(`${before}correct horse and more`).toString('base64'));
    const rest = shown.split('*****').map((part) => Buffer.from(part, 'base64').toString('latin1'));

    expect(shown).toContain('*****');
    expect(rest.join(' ')).not.toMatch(/orrect|hors/);
  });

  it('hides base64 that is wrapped', () => {
    const secret = 'abcdefghij'.repeat(41);
    const wrapped = Buffer.from(secret)
      .toString('base64')
      .replace(/(.{76})/g, '$1\n');

    expect(maskerFor(secret).text(wrapped).replaceAll('*****', '').trim()).toBe('');
  });

  it('hides two overlapping secrets completely', () => {
    expect(maskerFor('abcdef', 'defghi').text('-abcdefghi-')).toBe('-*****-');
  });

  it('hides the longer of two secrets with the same beginning', () => {
    expect(maskerFor('abcd', 'abcdefgh').text('abcdefgh abcdx')).toBe('***** *****x');
  });

  it('hides a value of many kilobytes, and its parts', () => {
    const secret = Array.from({ length: 5_000 }, (_, index) => `n${index * 7919}`).join('');

    expect(maskerFor(secret).text(`<${secret}>`)).toBe('<*****>');
  });

  it('keeps text without a secret unchanged', () => {
    const text = 'half a \uD800 character';

    expect(maskerFor('hunter22').text(text)).toBe(text);
  });

  it('hides secrets in values, including keys and numbers', () => {
    const masked = maskerFor('hunter22', '4711').json({ hunter22: ['a hunter22', 4711, 47, true, null] });

    expect(masked).toEqual({ '*****': ['a *****', '*****', 47, true, null] });
  });
});

describe('a masking stream', () => {
  const secrets = ['hunter22', 'hunterhunter', 'zwölf Bären', 'first line\nsecond line', 'x'.repeat(700)] as const;
  const text = [
    'plain hunter22 hunterhunter22',
    'hunterhunterhunter2',
    'zwölf Bären and zwölf Bäre',
    'first line',
    '',
    'second line',
    `${'x'.repeat(699)} ${'x'.repeat(1500)}`,
    'hunter2',
  ].join('\n');

  it.each([1, 2, 3, 5, 7, 11, 64, 255, 256, 257, 1000])('has the same result in parts of %i bytes', (partBytes) => {
    const masker = maskerFor(...secrets);

    expect(streamed(masker, text, partBytes)).toBe(masker.text(text));
  });

  it('passes on text at once that cannot become a secret', () => {
    const stream = maskerFor('hunter22').stream();

    expect(Buffer.from(stream.push(Buffer.from('50 % done\r'))).toString()).toBe('50 % done\r');
    expect(Buffer.from(stream.push(Buffer.from('of hunt'))).toString()).toBe('of ');
    expect(Buffer.from(stream.push(Buffer.from('ing'))).toString()).toBe('hunting');
    expect(stream.end()).toHaveLength(0);
  });

  it('passes on the beginning of a secret when nothing follows it', () => {
    const stream = maskerFor('hunter22').stream();

    expect(stream.push(Buffer.from('hunter2'))).toHaveLength(0);
    expect(Buffer.from(stream.end()).toString()).toBe('hunter2');
  });

  it('keeps bytes that are not text', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));

    expect(Buffer.from(maskerFor('hunter22').stream().push(bytes))).toEqual(bytes);
  });
});
