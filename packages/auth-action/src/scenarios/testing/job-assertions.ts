import path from 'node:path';
import type { JobEnd } from './run-job';

export const accessToken = { token_format: 'access_token' };

export const listCredentialsFiles = ({ leftovers }: JobEnd) =>
  leftovers.flatMap(({ path: file }) => (file.includes('gha-creds-') ? [path.basename(file)] : []));

/** The token output, as the fake cloud recorded it. */
export const findToken = ({ fake, outputs }: JobEnd) =>
  fake.tokens.all().find(({ secret }) => secret === (outputs.access_token ?? outputs.id_token));

export const listRequests = ({ requests }: JobEnd) =>
  requests.map(({ service, path: at }) => `${service} ${/[^:?]+(?=\?|$)/.exec(at)?.[0]}`);

/** The job succeeds, leaks nothing and leaves no credentials file behind. */
export function expectSuccess(end: JobEnd): void {
  expect({ errors: end.errors, leaked: end.leaked }).toEqual({ errors: [], leaked: [] });
  expect(end.outcome).toBe('success');
  expect(listCredentialsFiles(end)).toEqual([]);
}
