import { maxPasswordLength, minPasswordLength } from '@weir/workflow-contract';
import { dictionary } from '@zxcvbn-ts/language-common';
import { passwordWeak } from './user-errors';

const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'] as readonly string[]);

/** Throws `password_weak` for a password that is too short, too long, common, or the username. */
export function assertStrongPassword(password: string, username: string): void {
  // Characters, as the contract counts them: an emoji is one, though two units of JavaScript's text.
  const length = Array.from(password).length;
  if (length < minPasswordLength) throw passwordWeak(`The password needs at least ${minPasswordLength} characters.`);
  if (length > maxPasswordLength) throw passwordWeak(`The password may have at most ${maxPasswordLength} characters.`);
  const folded = password.toLowerCase();
  if (commonPasswords.has(folded)) throw passwordWeak('This password is among the most common ones.');
  if (folded === username.toLowerCase()) throw passwordWeak('The password must not be the username.');
}
