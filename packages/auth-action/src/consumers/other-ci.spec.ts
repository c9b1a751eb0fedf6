import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { atLoopback, direct, federated, runInProcess } from '../scenarios/testing/run-in-process';
import { runJob } from '../scenarios/testing/run-job';
import { authLibraryStep } from './testing/consumer-steps';

/** A token as another CI system issues it, from the issuer that the provider trusts. */
function issueToken(fake: FakeCloud): string {
  const now = Math.floor(Date.now() / 1000);
  const aud = `https://iam.googleapis.com/${fake.provider}`;
  return fake.sign('issuer', { iss: fake.issuer, sub: 'project_path:group/app', aud, iat: now, exp: now + 3600 });
}

const withoutRunner = { ACTIONS_ID_TOKEN_REQUEST_URL: undefined, ACTIONS_ID_TOKEN_REQUEST_TOKEN: undefined };

describe('the OIDC token of another CI system', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'weir-other-ci-'));
    file = path.join(folder, 'token');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([['oidc_token'], ['oidc_token_file']])(
    'in %s is enough for the action and a client library',
    async (input) => {
      const end = await runJob({
        permission: false,
        with: (fake) => {
          const token = issueToken(fake);
          writeFileSync(file, `${token}\n`);
          return direct(fake, {
            project_id: 'example-project',
            ...(input === 'oidc_token' ? { oidc_token: token } : { oidc_token_file: file }),
          });
        },
        around: (fake) => Promise.resolve({ STORAGE_ENDPOINT: fake.bases.storage }),
        steps: [authLibraryStep(process.execPath, 11)],
      });

      expect(end.errors).toEqual([]);
      expect(end.steps.at(-1)?.log).toContain('example-bucket');
      expect(end.leftovers).toEqual([]);
    },
  );

  it('is read again for each exchange', async () => {
    const fake = await startFakeCloud();
    try {
      writeFileSync(file, issueToken(fake));
      const { error, files, masked } = await runInProcess(fake, {
        inputs: federated(fake, { token_format: 'access_token', oidc_token_file: file }),
        env: withoutRunner,
      });

      expect(error).toBeUndefined();
      expect(JSON.parse(files[0]?.text ?? '')).toMatchObject({ credential_source: { file, format: { type: 'text' } } });
      expect(masked).toContain(fake.tokens.ofKind('foreign token')[0]?.secret);
    } finally {
      await fake.stop();
    }
  });

  it.each([
    ['is missing', undefined, 'ENOENT'],
    ['has no token', 'none', 'does not contain one OIDC token'],
  ])('fails with its cause if the file %s', async (_, text, cause) => {
    const fake = await startFakeCloud();
    try {
      if (text !== undefined) writeFileSync(file, text);
      const inputs = { ...atLoopback(fake), ...direct(fake), oidc_token_file: file };
      const { error } = await runInProcess(fake, { inputs, env: withoutRunner });

      expect(error).toMatchObject({ reason: 'oidc_token_file_unreadable' });
      expect(error?.message).toContain(cause);
    } finally {
      await fake.stop();
    }
  });
});
