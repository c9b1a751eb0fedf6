import { AppError } from '@weir/errors';
import type { Settings } from '../settings';

type Expectations = Pick<Settings, 'expectedProject' | 'expectedAccount' | 'projectId' | 'identity' | 'file'>;

/**
 * Guard rails, to be called before anything is handed out. What cannot be told counts as not expected. A credentials
 * file with a key makes its readers the account of the key, whatever account tokens are of.
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
  const found = actual === undefined ? 'none could be told' : `it is "${actual}"`;
  throw new AppError('forbidden', `The ${kind} was expected to be "${expected}", but ${found}.`, {
    reason: `${kind}_not_expected`,
    details: { expected, actual: actual ?? null },
  });
}
