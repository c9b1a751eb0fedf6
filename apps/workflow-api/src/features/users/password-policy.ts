import { maxPasswordLength, minPasswordLength } from '@weir/workflow-contract';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { dictionary } from '@zxcvbn-ts/language-common';
import { passwordWeak } from './user-errors';

const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'] as readonly string[]);

/** Of 0 to 4: it takes more than a million guesses. */
const lowestScore = 2;
/** What follows makes a password no weaker, and would only take time. */
const estimatedLength = 128;

let estimator: ZxcvbnFactory | undefined;

/** Throws `password_weak` for a password that is too short, too long, common, easily guessed, or the username. */
export function assertStrongPassword(password: string, username: string): void {
  // Characters, as the contract counts them: an emoji is one, though two units of JavaScript's text.
  const length = Array.from(password).length;
  if (length < minPasswordLength) throw passwordWeak(`The password needs at least ${minPasswordLength} characters.`);
  if (length > maxPasswordLength) throw passwordWeak(`The password may have at most ${maxPasswordLength} characters.`);
  const folded = password.toLowerCase();
  if (commonPasswords.has(folded)) throw passwordWeak('This password is among the most common ones.');
  if (folded === username.toLowerCase()) throw passwordWeak('The password must not be the username.');
  if (score(password, username) < lowestScore) {
    throw passwordWeak('This password is easily guessed: use more words, or fewer repetitions.');
  }
}

function score(password: string, username: string): number {
  // Its dictionaries take memory that a server needs only when a password is set.
  estimator ??= new ZxcvbnFactory({ dictionary: { common: dictionary['passwords-common'] } });
  return estimator.check(password.slice(0, estimatedLength), [username]).score;
}
