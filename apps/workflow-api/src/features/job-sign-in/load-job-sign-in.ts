import { readFile } from 'node:fs/promises';
import { AppError } from '@weir/foundation';
import type { Clock } from '@weir/workflow-engine/model';
import { createJobSignIn, type JobSignIn } from './authenticate-job';
import { parseTrustRules } from './trust-rules';

/**
 * Loads the trust rules of a file; without one, nobody is trusted. Rejects with `invalid_request`, reason
 * `trust_rules_invalid`, when they cannot be used.
 */
export async function loadJobSignIn(file: string | undefined, clock: Clock): Promise<JobSignIn> {
  const issuers = file === undefined ? [] : parseTrustRules(await readRules(file));
  return createJobSignIn({ issuers, fetch: (url, init) => fetch(url, init), clock });
}

function readRules(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AppError('invalid_request', `The file ${file} of WEIR_JOB_TRUST_FILE cannot be read.`, {
      reason: 'trust_rules_invalid',
      cause,
    });
  });
}
