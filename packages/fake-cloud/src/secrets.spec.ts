import { createFakeSecrets } from './secrets';

const grant = { principal: 'somebody', scopes: [], expiresAtSeconds: 1 };

describe('secrets', () => {
  it('are all different and have names', () => {
    const secrets = createFakeSecrets();

    const first = secrets.issue('access token', grant);
    const second = secrets.issue('access token', grant);

    expect([first.name, second.name]).toEqual(['<access token 1>', '<access token 2>']);
    expect(first.secret).not.toBe(second.secret);
    expect(secrets.redact(`a ${second.secret} b ${first.secret}`)).toBe('a <access token 2> b <access token 1>');
  });

  it('keep their first name', () => {
    const secrets = createFakeSecrets();
    const { secret } = secrets.issue('federated token', grant);

    expect(secrets.add('foreign bearer', secret)).toMatchObject({ kind: 'federated token' });
    expect(secrets.all()).toHaveLength(1);
  });

  it('are redacted completely if one is a prefix of another', () => {
    const secrets = createFakeSecrets();
    secrets.add('foreign token', 'the-beginning-of');
    secrets.add('foreign token', 'the-beginning-of-something');

    expect(secrets.redact('the-beginning-of-something')).toBe('<foreign token 2>');
  });

  it('are found in plain text and in base64 at any offset', () => {
    const secrets = createFakeSecrets();
    const { secret, name } = secrets.issue('access token', grant);

    expect(secrets.leaks(`token: ${secret}.`)).toEqual([name]);
    for (const before of ['', 'a', 'ab', 'abc']) {
      const text = Buffer.from(`${before}${secret} and more`);
      expect(secrets.leaks(text.toString('base64'))).toEqual([name]);
      expect(secrets.leaks(text.toString('base64url'))).toEqual([name]);
    }
    expect(secrets.leaks('nothing of that kind')).toEqual([]);
  });

  it('of several lines are found by one of them', () => {
    const secrets = createFakeSecrets();
    secrets.add('private key', '-----BEGIN PRIVATE KEY-----\nfirst-line-of-the-key\nsecond-line-of-the-key\n');

    expect(secrets.leaks('…second-line-of-the-key…')).toEqual(['<private key 1>']);
    expect(secrets.leaks('-----BEGIN PRIVATE KEY-----')).toEqual([]);
  });

  it('that are too short are ignored', () => {
    const secrets = createFakeSecrets();
    secrets.add('foreign bearer', 'x');
    secrets.add('foreign token', '');

    expect(secrets.leaks('x')).toEqual([]);
    expect(secrets.redact('y')).toBe('y');
  });

  it('can be revoked, if they are known', () => {
    const secrets = createFakeSecrets();
    const { secret } = secrets.issue('access token', grant);

    secrets.revoke(secret);
    secrets.revoke('not known');

    expect(secrets.find(secret)).toMatchObject({ isRevoked: true });
    expect(secrets.all()).toHaveLength(1);
  });
});
