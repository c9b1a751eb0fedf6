import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { dictionary } from '@zxcvbn-ts/language-common';

// Further characters make a password no weaker, and would only take time.
const estimatedLength = 128;

const passwords = dictionary['passwords-common'] as readonly string[];
const common: ReadonlySet<string> = new Set(passwords);
const estimator = new ZxcvbnFactory({ dictionary: { common: [...passwords] } });

/** Whether a password in lower case is one of the most common ones. */
export function isCommonPassword(folded: string): boolean {
  return common.has(folded);
}

/** Scores how hard a password is to guess, from 0 to 4. */
export function scorePassword(password: string, username: string): number {
  return estimator.check(password.slice(0, estimatedLength), [username]).score;
}
