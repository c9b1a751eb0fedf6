import { uvSettings } from './uv-settings.mjs';

it('gives uv the addresses and the certificate that pip is set to', () => {
  const list = [
    ":env:.cert='/etc/ssl/bundle.pem'",
    "global.index-url='https://packages.example/simple'",
    "global.extra-index-url='\\nhttps://one.example\\nhttps://two.example'",
    "install.find-links='/opt/wheels'",
    "global.timeout='180'",
    '',
  ].join('\n');

  expect(uvSettings(list)).toEqual({
    SSL_CERT_FILE: '/etc/ssl/bundle.pem',
    UV_DEFAULT_INDEX: 'https://packages.example/simple',
    UV_INDEX: 'https://one.example https://two.example',
    UV_FIND_LINKS: '/opt/wheels',
  });
});

it('gives nothing where pip has no settings', () => {
  expect(uvSettings('')).toEqual({});
});
