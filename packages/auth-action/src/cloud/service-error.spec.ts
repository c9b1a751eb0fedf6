import { quote, readServiceError } from './service-error';

describe('readRefusal', () => {
  it.each([
    ['an OAuth error', { error: 'invalid_target', error_description: 'No.' }, 'invalid_target', 'No.'],
    ['an OAuth error without a sentence', { error: 'invalid_target' }, 'invalid_target', undefined],
    ['an IAM error', { error: { status: 'NOT_FOUND', message: 'Gone.' } }, 'NOT_FOUND', 'Gone.'],
    ['its narrower reason', { error: { status: 'X', details: [null, { reason: 'Y' }], message: 'Z' } }, 'Y', 'Z'],
    ['details without a reason', { error: { status: 'X', details: [{}], message: 'Z' } }, 'X', 'Z'],
    ['an error of the runner', { message: 'Not yet.' }, undefined, 'Not yet.'],
    ['an empty sentence', { error: { status: 'X', message: ' ' } }, 'X', undefined],
    ['other JSON', { a: 1 }, undefined, '{"a":1}'],
  ])('reads %s', (_name, body, googleReason, description) => {
    expect(readServiceError(JSON.stringify(body), [])).toEqual({ googleReason, description });
  });

  it.each([
    ['<html>\n<h1>Bad gateway</h1>', '<html> <h1>Bad gateway</h1>'],
    ['', undefined],
  ])('quotes text that is not JSON: %j', (body, description) => {
    expect(readServiceError(body, [])).toEqual({ googleReason: undefined, description });
  });

  it('masks secrets in the reason too', () => {
    expect(readServiceError('{"error":"bad-secret-x"}', ['', 'secret'])).toMatchObject({ googleReason: 'bad-***-x' });
  });
});

describe('quote', () => {
  it.each([
    ['a secret', 'my top-secret text and top-secret', 'my *** text and ***'],
    ['a web token', 'bad eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln here', 'bad *** here'],
    ['an access token', 'bad ya29.c.b0Aa_x-y here', 'bad *** here'],
    ['lines, controls and hidden characters', 'a\r\n::set\u0000\u202eb\u2028c', 'a ::set b c'],
  ])('masks %s', (_name, text, expected) => {
    expect(quote(text, ['top-secret'])).toBe(expected);
  });

  it('cuts a long text between characters', () => {
    expect(quote('🚀'.repeat(301), [])).toBe(`${'🚀'.repeat(300)}…`);
    expect(quote('x'.repeat(300), [])).toBe('x'.repeat(300));
  });
});
