import { isDirect } from './no-proxy';

describe('isDirect', () => {
  it.each([
    ['sts.example.test', true],
    ['example.test', true],
    ['.example.test', true],
    ['*.example.test', true],
    ['EXAMPLE.test', true],
    ['*', true],
    ['other.test, example.test', true],
    ['other.test example.test', true],
    ['example.test:443', true],
    ['*:443', true],
    ['example.test:8443', false],
    ['ample.test', false],
    ['a.sts.example.test', false],
    ['.', false],
    ['', false],
    [' , ', false],
  ])('with NO_PROXY=%j is %j', (noProxy, expected) => {
    expect(isDirect(noProxy, new URL('https://sts.example.test/v1/token'))).toBe(expected);
  });

  it.each([
    ['https://sts.example.test:8443/', 'example.test:8443'],
    ['http://sts.example.test/', 'example.test:80'],
    ['https://[2001:db8::1]/', '[2001:db8::1]'],
    ['https://[2001:db8::1]/', '[2001:db8::1]:443'],
  ])('sends %s directly with NO_PROXY=%j', (address, noProxy) => {
    expect(isDirect(noProxy, new URL(address))).toBe(true);
  });
});
