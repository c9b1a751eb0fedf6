import { assertStrongPassword } from './password-policy';

const emojis = (count: number): string =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(0x1f600 + ((index * 29) % 61))).join('');

const verdictOn = async (password: string, username = 'ada') => {
  try {
    await assertStrongPassword(password, username);
    return 'taken';
  } catch (error) {
    return error;
  }
};

describe('assertStrongPassword', () => {
  it.each([
    ['exactly 8 characters', 'aq7-zx9!'],
    ['8 characters of four bytes', emojis(8)],
    ['exactly 1024 characters', 'some words of one line, '.repeat(43).slice(0, 1024)],
    ['1024 characters of four bytes', emojis(1024)],
    ['a common password inside a longer one', 'my password1 is long'],
    ['the username inside a longer one', 'ada and more letters'],
  ])('accepts %s', async (_, password) => {
    await expect(verdictOn(password)).resolves.toBe('taken');
  });

  it.each([
    ['7 characters', 'aq7-zx9', 'ada'],
    ['7 characters of four bytes', '\u{1F600}'.repeat(7), 'ada'],
    ['1025 characters', 'x'.repeat(1025), 'ada'],
    ['a common password', 'sunshine1', 'ada'],
    ['a common password in capitals', 'SunShine1', 'ada'],
    ['one character repeated', 'aaaaaaaaaaaaaaaa', 'ada'],
    ['1024 times the same character', '\u{1F600}'.repeat(1024), 'ada'],
    ['blanks', ' '.repeat(12), 'ada'],
    ['a short text repeated', 'abcabcabcabc', 'ada'],
    ['a sequence', 'abcdefghijkl', 'ada'],
    ['the username twice', 'ada-lovelaceada-lovelace', 'ada-lovelace'],
    ['the username', 'ada-lovelace', 'ada-lovelace'],
    ['the username in other letters', 'Ada-Lovelace', 'ADA-lovelace'],
  ])('refuses %s without repeating it', async (_, password, username) => {
    const verdict = await verdictOn(password, username);

    expect(verdict).toMatchObject({ code: 'invalid_request', reason: 'password_weak' });
    expect((verdict as Error).message).not.toContain(password);
  });
});
