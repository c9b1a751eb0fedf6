import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { accessToken, expectSuccess, findToken, listRequests } from './testing/job-assertions';
import { federated } from './testing/run-in-process';
import { describeEachNode } from './testing/run-job';

describeEachNode((runJob) => {
  describe('a job', () => {
    it('succeeds with the expected project and account, without a summary', async () => {
      const inputs = { expected_project: 'example-project', step_summary: 'false' };
      const end = await runJob({
        with: (fake) => federated(fake, { ...inputs, expected_account: fake.account.email }),
      });

      expectSuccess(end);
      expect(end.steps[0]?.summary).toBe('');
    });

    it('ignores endpoint variables of earlier steps', async () => {
      const env = { GHA_ENDPOINT_OVERRIDE_sts: 'http://127.0.0.1:9', CLOUDSDK_AUTH_TOKEN_HOST: 'http://127.0.0.1:9' };

      expectSuccess(await runJob({ with: (fake) => federated(fake, accessToken), runner: { env } }));
    });

    it('leaves no files if a later step fails', async () => {
      const failing = { program: process.execPath, args: ['-e', 'process.exit(3)'] };
      const end = await runJob({ with: (fake) => federated(fake), steps: [failing] });

      expect(end).toMatchObject({ outcome: 'failure', leftovers: [], leaked: [] });
      expect(end.errors).toEqual(['Process completed with exit code 3.']);
    });
  });

  describe('the search for leaks', () => {
    it('finds a token in base64', async () => {
      const end = await runJob({
        with: (fake) => federated(fake, accessToken),
        steps: [
          {
            inspect: ({ outputs, workspace }) => {
              const text = Buffer.from(`token=${outputs.auth0?.access_token}`).toString('base64');
              writeFileSync(path.join(workspace, 'notes.txt'), text);
            },
          },
        ],
      });

      expect(end.leaked).toMatchObject([{ secret: '<access token 1>' }]);
    });
  });

  describe('revocation', () => {
    const inputs = { ...accessToken, revoke_access_token: 'true' };

    it('revokes the access token at the end of the job', async () => {
      const end = await runJob({ with: (fake) => federated(fake, inputs), runner: { debug: true } });

      expectSuccess(end);
      expect(findToken(end)).toMatchObject({ isRevoked: true });
      expect(listRequests(end).at(-1)).toBe('revoke /revoke');
    });
  });
});
