import { readFile } from 'node:fs/promises';
import { AppError } from '@weir/foundation';
import type { Clock } from '@weir/workflow-engine/model';
import { createJobAuthenticator, type AuthenticateJob } from './authenticate-job';
import { parseTrustRules } from './trust-rules';

/** Loads the trust rules of a file. Rejects with `invalid_request`, reason `trust_rules_invalid`, when they cannot be used. */
export async function loadJobSignIn(file: string, clock: Clock): Promise<AuthenticateJob> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AppError('invalid_request', `The file ${file} of WEIR_JOB_TRUST_FILE cannot be read.`, {
      reason: 'trust_rules_invalid',
      cause,
    });
  });
  return createJobAuthenticator({ issuers: parseTrustRules(text), fetch: (url, init) => fetch(url, init), clock });
}
