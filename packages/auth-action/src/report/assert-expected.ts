import { AppError } from '@weir/foundation';
import type { Settings } from '../inputs/settings';

type Expectations = Pick<Settings, 'expectedProject' | 'expectedAccount' | 'projectId' | 'identity' | 'file'>;

/**
 * Checks `expected_project` and `expected_account` before any credentials are provided. An unknown project or account
 * does not match. Users of a credentials file with a key authenticate as the account of the key, even if the token
 * output is for another account.
 *
 * Fails with `forbidden` and reason `project_not_expected` or `account_not_expected`.
 */
export function assertExpected({ expectedProject, expectedAccount, projectId, identity, file }: Expectations): void {
  check('project', expectedProject, projectId);
  check('account', expectedAccount, identity.serviceAccount);
  if (identity.mode === 'key' && file.create) check('account', expectedAccount, identity.key.clientEmail);
}

function check(kind: 'project' | 'account', expected: string | undefined, actual: string | undefined): void {
  if (expected === undefined || expected === actual) return;
  const found = actual === undefined ? 'it is unknown' : `it is "${actual}"`;
  throw new AppError('forbidden', `The ${kind} was expected to be "${expected}", but ${found}.`, {
    reason: `${kind}_not_expected`,
    details: { expected, actual: actual ?? null },
  });
}
