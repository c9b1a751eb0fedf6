import { parseEndpoint } from './endpoints';
import { parseUniverse } from './universe';

describe('parseUniverse', () => {
  it.each(['googleapis.com', 'apis-s3ns.fr', 'cloud.example'])('accepts %s', (text) => {
    expect(parseUniverse(text)).toEqual({ ok: true, value: text });
  });

  it.each([
    ['https://googleapis.com', 'universe_invalid'],
    ['googleapis.com/', 'universe_invalid'],
    ['GoogleAPIs.com', 'universe_invalid'],
    ['localhost', 'universe_invalid'],
    ['a..b', 'universe_invalid'],
    ['evil.example#.googleapis.com', 'universe_invalid'],
    ["'googleapis.com'", 'text_quoted'],
  ])('refuses %s', (text, reason) => {
    expect(parseUniverse(text)).toMatchObject({ ok: false, reason });
  });
});

describe('parseEndpoint', () => {
  it.each([
    ['https://sts.cloud.example', 'https://sts.cloud.example'],
    ['https://sts.cloud.example/', 'https://sts.cloud.example'],
    ['https://gateway.example:8443/sts//', 'https://gateway.example:8443/sts'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['http://localhost', 'http://localhost'],
  ])('parses %s as %s', (text, value) => {
    expect(parseEndpoint(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['http off the machine', 'http://sts.cloud.example', 'http is allowed for'],
    ['a host that only looks like loopback', 'http://127.0.0.1.evil.example', 'http is allowed for'],
    ['another scheme', 'ftp://127.0.0.1', 'Use an https URL'],
    ['not a URL', 'sts.cloud.example', 'not a URL'],
    ['a query', 'https://sts.cloud.example?x=1', 'the query'],
    ['a fragment', 'https://sts.cloud.example#', 'the query'],
    ['the version of the API', 'https://sts.cloud.example/v1/', 'Remove /v1'],
  ])('refuses %s', (_, text, sentence) => {
    expect(parseEndpoint(text)).toMatchObject({
      ok: false,
      reason: 'endpoint_invalid',
      message: expect.stringContaining(sentence) as string,
    });
  });

  it.each([
    'https://ada:s3cret@sts.cloud.example',
    'https://ada@sts.cloud.example',
    'https://:s3cret@sts.cloud.example',
  ])('refuses credentials in %s without repeating them', (text) => {
    const result = parseEndpoint(text);

    expect(result).toMatchObject({ ok: false, reason: 'endpoint_invalid' });
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });

  it('refuses an address with a space', () => {
    expect(parseEndpoint('https://a.example https://b.example')).toMatchObject({ reason: 'text_with_spaces' });
  });
});
