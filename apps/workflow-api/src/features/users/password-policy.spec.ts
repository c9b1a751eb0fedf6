import { assertStrongPassword } from './password-policy';

const verdictOn = (password: string, username = 'ada') => {
  try {
    assertStrongPassword(password, username);
    return 'taken';
  } catch (error) {
    return error;
  }
};

describe('assertStrongPassword', () => {
  it.each([
    ['exactly 8 characters', 'aq7-zx9!'],
    ['8 characters of four bytes', '\u{1F600}'.repeat(8)],
    ['exactly 1024 characters', 'xy'.repeat(512)],
    ['1024 characters of four bytes', '\u{1F600}'.repeat(1024)],
    ['a common password inside a longer one', 'my password1 is long'],
    ['the username inside a longer one', 'ada and more letters'],
  ])('takes %s', (_, password) => {
    expect(verdictOn(password)).toBe('taken');
  });

  it.each([
    ['7 characters', 'aq7-zx9', 'ada'],
    ['7 characters of four bytes', '\u{1F600}'.repeat(7), 'ada'],
    ['1025 characters', 'x'.repeat(1025), 'ada'],
    ['a common password', 'sunshine1', 'ada'],
    ['a common password in capitals', 'SunShine1', 'ada'],
    ['the username', 'ada-lovelace', 'ada-lovelace'],
    ['the username in other letters', 'Ada-Lovelace', 'ADA-lovelace'],
  ])('refuses %s without repeating it', (_, password, username) => {
    const verdict = verdictOn(password, username);

    expect(verdict).toMatchObject({ code: 'invalid_request', reason: 'password_weak' });
    expect((verdict as Error).message).not.toContain(password);
  });
});
