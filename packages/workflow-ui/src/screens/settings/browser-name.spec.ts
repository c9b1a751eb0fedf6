import { browserName } from './browser-name';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox 128, Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/147.0.0.0 Safari/537.36 Edg/147.0', 'Edge 147, Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/18.1 Safari/605', 'Safari 18, macOS'],
  ['curl/8.5.0', 'curl/8.5.0'],
])('names %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
