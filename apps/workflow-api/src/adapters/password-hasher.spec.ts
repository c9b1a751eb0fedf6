import { argon2Hasher, createArgon2Hasher } from './password-hasher';

describe('argon2Hasher', () => {
  it('hashes with Argon2id at the cost that OWASP recommends', async () => {
    await expect(argon2Hasher.hash('a password')).resolves.toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('accepts the password, and no other', async () => {
    const hash = await argon2Hasher.hash('a password');

    await expect(argon2Hasher.verify(hash, 'a password')).resolves.toBe(true);
    await expect(argon2Hasher.verify(hash, 'another password')).resolves.toBe(false);
  });

  it('gives equal passwords different hashes', async () => {
    const [first, second] = await Promise.all(['same', 'same'].map((password) => argon2Hasher.hash(password)));
    expect(first).not.toBe(second);
  });

  it('uses the whole of a long password', async () => {
    const hasher = createArgon2Hasher({ memoryKib: 8, passes: 1 });
    const long = '\u{1F600}'.repeat(1024);
    const hash = await hasher.hash(long);

    await expect(hasher.verify(hash, long)).resolves.toBe(true);
    await expect(hasher.verify(hash, `${long.slice(0, -2)}\u{1F601}`)).resolves.toBe(false);
  });
});
