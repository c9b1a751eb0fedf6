import { createPrivateKey, generateKeyPairSync, KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { aKey, privateKey } from '../testing/read-inputs';
import { parseKey } from './key';

const pretty = JSON.stringify(aKey(), null, 2);
const compact = JSON.stringify(aKey());
const bodyLine = privateKey.split('\n')[3] ?? '';
const elliptic = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey;

function parse(text: string) {
  const masked: string[] = [];
  const result = parseKey(text, (secret) => masked.push(secret));
  return { result, masked };
}

function encodeBase64(text: string, alphabet: 'base64' | 'base64url' = 'base64'): string {
  return Buffer.from(text).toString(alphabet);
}

describe('parseKey', () => {
  it.each([
    ['JSON', pretty],
    ['JSON on one line', compact],
    ['base64', encodeBase64(pretty)],
    ['base64 in lines', encodeBase64(pretty).replaceAll(/.{76}/g, '$&\n')],
    ['base64 of the URL alphabet without padding', encodeBase64(`${pretty} ÿ?>`.slice(0, -4), 'base64url')],
    ['base64 of a file that ends with a line break', encodeBase64(`${pretty}\n`)],
    ['base64 of a file that starts with a byte order mark', encodeBase64(`\uFEFF${pretty}`)],
  ])('reads %s', (_, text) => {
    const { result } = parse(text);

    expect(result).toEqual({
      ok: true,
      value: {
        clientEmail: 'robot@key-project.iam.gserviceaccount.com',
        privateKeyId: '0123456789abcdef',
        privateKey: expect.any(KeyObject) as KeyObject,
        projectId: 'key-project',
        universeDomain: undefined,
        json: aKey(),
      },
    });
    expect(result.ok && result.value.privateKey.equals(createPrivateKey(privateKey))).toBe(true);
  });

  it('retains unknown fields, and accepts a key without a project', () => {
    const json = aKey({ project_id: undefined, universe_domain: 'cloud.example', extra: { a: [1] } });

    expect(parse(JSON.stringify(json)).result).toMatchObject({
      ok: true,
      value: { projectId: undefined, universeDomain: 'cloud.example', json: { extra: { a: [1] } } },
    });
  });

  it.each([undefined, ''])('accepts a key with the id %j', (private_key_id) => {
    expect(parse(JSON.stringify(aKey({ private_key_id }))).result).toMatchObject({
      ok: true,
      value: { privateKeyId: undefined },
    });
  });

  describe('hiding', () => {
    it.each([
      ['JSON', pretty],
      ['base64', encodeBase64(pretty)],
    ])('hides the compact JSON and the private key whole, escaped and by line, given %s', (_, text) => {
      const { masked } = parse(text);

      expect(masked).toEqual(expect.arrayContaining([compact, privateKey, bodyLine]));
      expect(masked).toContain(JSON.stringify(privateKey).slice(1, -1));
    });

    it('masks base64 line by line as given', () => {
      const lines = encodeBase64(pretty).match(/.{1,76}/g) ?? [];

      expect(parse(lines.join('\n')).masked).toEqual(expect.arrayContaining(lines.filter((line) => line.length >= 12)));
    });

    it('masks no text so short that it would match everywhere', () => {
      for (const secret of parse(pretty).masked) expect(secret.length).toBeGreaterThanOrEqual(12);
    });

    it('hides a text that it cannot read', () => {
      expect(parse('not a key, but maybe a secret').masked).toEqual(['not a key, but maybe a secret']);
    });

    it('hides the secrets of other kinds of credentials', () => {
      const person = { type: 'authorized_user', client_secret: 'secret-of-client', refresh_token: '1//refresh-token' };

      expect(parse(JSON.stringify(person)).masked).toEqual(
        expect.arrayContaining(['secret-of-client', '1//refresh-token']),
      );
    });
  });

  it.each([
    ['a text that is neither', 'correct horse, battery staple!', 'key_unreadable', 'neither JSON nor base64'],
    [
      'base64 of something else',
      encodeBase64('correct horse battery staple'),
      'key_unreadable',
      'neither JSON nor base64',
    ],
    ['a word that base64 would take', 'staple', 'key_unreadable', 'neither JSON nor base64'],
    ['a path', './staple/key.json', 'key_unreadable', 'looks like a path'],
    ['a shell variable', '$STAPLE', 'text_not_expanded', 'no shell expands inputs'],
    ['JSON in quotes', `'${compact}'`, 'text_quoted', 'quotation mark'],
    ['a list', '["staple"]', 'key_unreadable', 'neither JSON nor base64'],
    ['JSON that was cut', compact.slice(0, 900), 'key_unreadable', 'not valid JSON'],
    ['JSON with line breaks in texts', compact.replaceAll(String.raw`\n`, '\n'), 'key_unreadable', 'not valid JSON'],
    ['base64 that was cut', encodeBase64(compact).slice(0, 900), 'key_unreadable', 'not valid JSON'],
    ['a text that is too long', 'staple'.repeat(12_000), 'key_too_large', 'at most 65536'],
    ['a federation configuration', '{"type":"external_account"}', 'key_type_wrong', 'external_account'],
    ["a person's credentials", '{"type":"authorized_user"}', 'key_type_wrong', 'authorized_user'],
    ['an impersonation', '{"type":"impersonated_service_account"}', 'key_type_wrong', 'not a key'],
    ['another type', '{"type":"staple"}', 'key_type_wrong', '"type" is not service_account'],
    ['no type', '{"installed":{}}', 'key_type_wrong', '"type" is not service_account'],
    ['a type of another kind', '{"type":{"toString":1}}', 'key_type_wrong', '"type" is not service_account'],
    ['missing fields', '{"type":"service_account"}', 'key_incomplete', 'no client_email, no private_key'],
    ['an empty field', JSON.stringify(aKey({ private_key: '' })), 'key_incomplete', 'has no private_key.'],
    [
      'a universe that is none',
      JSON.stringify(aKey({ universe_domain: 'staple' })),
      'key_incomplete',
      'universe_domain',
    ],
    ['a field that is no text', JSON.stringify(aKey({ private_key: 7 })), 'key_incomplete', 'has no private_key.'],
    ['an account that is none', JSON.stringify(aKey({ client_email: 'staple' })), 'key_incomplete', 'client_email'],
    [
      'a private key that is none',
      JSON.stringify(aKey({ private_key: 'staple'.repeat(9) })),
      'key_unusable',
      'cannot sign',
    ],
    [
      'a private key that was cut',
      JSON.stringify(aKey({ private_key: privateKey.slice(0, 600) })),
      'key_unusable',
      'cannot sign',
    ],
    [
      'a private key without line breaks',
      JSON.stringify(aKey({ private_key: privateKey.replaceAll('\n', '') })),
      'key_unusable',
      'cannot sign',
    ],
    ['an elliptic private key', JSON.stringify(aKey({ private_key: elliptic })), 'key_unusable', 'cannot sign'],
    [
      'line breaks that were escaped twice',
      JSON.stringify(aKey({ private_key: privateKey.replaceAll('\n', String.raw`\n`) })),
      'key_unusable',
      'escaped twice',
    ],
  ])('refuses %s and shows nothing of it', (_, text, reason, sentence) => {
    const { result } = parse(text);

    expect(result).toMatchObject({ ok: false, reason, message: expect.stringContaining(sentence) as string });
    expect(JSON.stringify(result)).not.toMatch(/staple|c3RhcGxl|robot|MII/i);
  });

  it('refuses any other text without throwing', () => {
    const someText = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json(),
      fc.json().map((text) => encodeBase64(text)),
    );
    fc.assert(fc.property(someText, (text) => expect(parse(text).result.ok).toBe(false)));
  });
});
