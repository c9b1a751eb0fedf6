import { maxPasswordLength, minPasswordLength } from '@weir/workflow-contract';
import { passwordWeak } from './user-errors';

/** The score is from 0 to 4; this one takes more than a million guesses. */
const lowestScore = 2;

/** Rejects with `password_weak` for a password that is too short, too long, common, easily guessed, or the username. */
export async function assertStrongPassword(password: string, username: string): Promise<void> {
  // Counts characters as the contract does: an emoji is one character, but two units of JavaScript's strings.
  const length = Array.from(password).length;
  if (length < minPasswordLength) throw passwordWeak(`The password needs at least ${minPasswordLength} characters.`);
  if (length > maxPasswordLength) throw passwordWeak(`The password may have at most ${maxPasswordLength} characters.`);
  // The dictionaries take megabytes that a server needs only when a password is set.
  const { isCommonPassword, scorePassword } = await import('./password-estimator.js');
  const folded = password.toLowerCase();
  if (isCommonPassword(folded)) throw passwordWeak('This password is among the most common ones.');
  if (folded === username.toLowerCase()) throw passwordWeak('The password must not be the username.');
  if (scorePassword(password, username) < lowestScore) {
    throw passwordWeak('This password is easily guessed: use more words, or fewer repetitions.');
  }
}
