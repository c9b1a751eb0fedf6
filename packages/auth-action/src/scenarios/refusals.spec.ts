import path from 'node:path';
import { statuses, type Fault } from '@weir/fake-cloud';
import { byKey, direct, federated, type Inputs } from './testing/run-in-process';
import { describeEachNode, type JobEnd } from './testing/run-job';

const access = { token_format: 'access_token' };
const user = 'user@example.com';
const nobody = 'nobody@example-project.iam.gserviceaccount.com';
const disabledApi: Fault = {
  kind: 'status',
  status: 403,
  body: JSON.stringify({
    error: {
      status: 'PERMISSION_DENIED',
      message: 'IAM Service Account Credentials API has not been used in project 1234 before or it is disabled.',
      details: [{ reason: 'SERVICE_DISABLED' }],
    },
  }),
};

type Faults = Readonly<Partial<Record<'oidc' | 'sts' | 'iam' | 'oauth', readonly Fault[]>>>;

function expectNothingDone(end: JobEnd): void {
  expect(end.outcome).toBe('failure');
  expect(end.leaked).toEqual([]);
  expect(end.steps[0]).toMatchObject({ outputs: {}, env: {}, state: {} });
  expect(end.steps[0]?.summary).toMatch(/^### Authentication failed\n/);
  expect(end.posts[0]).toMatchObject({ outcome: 'success', annotations: [] });
  expect(end.leftovers.map(({ path: file }) => path.basename(file))).toEqual([]);
  expect(end.errors).toHaveLength(1);
}

describeEachNode((runJob) => {
  describe('before the first request and the first write (D10, D12, D13)', () => {
    const cases: readonly (readonly [string, Inputs, string])[] = [
      ['no mode', { workload_identity_provider: '', service_account: '' }, 'credentials_json'],
      ['an unknown token format', { token_format: 'Access_Token' }, 'token_format'],
      ['too short a lifetime', { credentials_file_token_lifetime: '10s' }, 'credentials_file_token_lifetime'],
      [
        'more than an hour as a user',
        { ...access, access_token_lifetime: '3601s', access_token_subject: user },
        'access_token_lifetime',
      ],
      ['another project than expected', { expected_project: 'other-project' }, 'example-project'],
      [
        'another account than expected',
        { expected_account: 'other@example-project.iam.gserviceaccount.com' },
        'deployer@',
      ],
    ];

    it.each(cases)('refuses %s', async (_, inputs, word) => {
      const end = await runJob({ with: (fake) => federated(fake, inputs) });

      expectNothingDone(end);
      expect(end.requests).toEqual([]);
      expect(end.errors[0]).toContain(word);
    });

    it.each([
      ['is of another type', () => '{"type":"authorized_user","refresh_token":"a-refresh-token-of-somebody"}'],
      ['cannot sign', (key: object) => JSON.stringify({ ...key, private_key: 'no-key-at-all-but-secret-anyway' })],
    ])('refuses a key that %s', async (_, spoil) => {
      const end = await runJob({
        with: (fake) => byKey(fake, { credentials_json: spoil(fake.serviceAccountKey()) }),
      });

      expectNothingDone(end);
      expect(end.requests).toEqual([]);
      expect(end.log).not.toMatch(/a-refresh-token-of|no-key-at-all/);
    });
  });

  describe('without the permission', () => {
    it('names the block to add', async () => {
      const end = await runJob({ with: (fake) => federated(fake), permission: false });

      expectNothingDone(end);
      expect(end.errors[0]).toMatch(/permissions:\s+.*id-token: write/s);
    });

    it('still works with a key', async () => {
      const end = await runJob({ with: (fake) => byKey(fake, access), permission: false });

      expect(end).toMatchObject({ outcome: 'success', errors: [], leaked: [] });
    });
  });

  describe('a refusal', () => {
    it('of the exchange reports the claims of the OIDC token', async () => {
      const end = await runJob({
        with: (fake) => federated(fake),
        cloud: { attributeCondition: () => false },
      });

      expectNothingDone(end);
      expect(end.requests.map(({ service }) => service)).toEqual(['oidc', 'sts']);
      expect(end.errors[0]).toContain('repo:example-org/example-repo:ref:refs/heads/main');
      expect(end.errors[0]).toMatch(/Likely cause: .+\nNext step: /);
    });

    it('of the account is final at once', async () => {
      const inputs = { ...access, service_account: nobody };
      const end = await runJob({ with: (fake) => federated(fake, inputs) });

      expectNothingDone(end);
      expect(end.requests.map(({ service }) => service)).toEqual(['oidc', 'sts', 'iam']);
      expect(end.errors[0]).toContain('nobody@example-project.iam.gserviceaccount.com');
    });

    it.each<[string, Faults, Inputs, string]>([
      ['a service that fails', { sts: statuses(501) }, {}, 'The inputs are not the cause'],
      ['an API that is disabled', { iam: [disabledApi] }, access, 'gcloud services enable iamcredentials'],
      ['a missing account', {}, { ...access, service_account: nobody }, 'gcloud iam service-accounts list'],
    ])('names its true cause: %s', async (_, faults, inputs, text) => {
      const end = await runJob({ with: (fake) => federated(fake, inputs), cloud: { faults } });

      expectNothingDone(end);
      expect(end.errors[0]).toContain(text);
      expect(end.errors[0]).not.toMatch(/provider does not accept|lacks a role/);
    });

    it.each([
      ['final at once', [401], 1],
      ['asked twice again where it may pass', [403, 400, 403], 3],
    ])('of the token service of the job is %s (D2)', async (_, answers, asked) => {
      const faults = { oidc: statuses(...answers) };
      const end = await runJob({ with: (fake) => federated(fake), cloud: { faults } });

      expectNothingDone(end);
      expect(end.requests).toHaveLength(asked);
    });

    it.each(['sts', 'iam', 'oidc', 'oauth'] as const)(
      'by %s that quotes the request shows no secret (D15)',
      async (at) => {
        const end = await runJob({
          with: (fake) => federated(fake, { ...access, access_token_subject: user }),
          cloud: { faults: { [at]: Array.from({ length: 3 }, () => ({ kind: 'echo', status: 400 }) as const) } },
          runner: { debug: true },
        });

        expectNothingDone(end);
        // The line before any mask is checked too: values that the commands hide never reached another line.
        const raw = end.steps[0]?.raw.toString('utf8').replaceAll(/^::add-mask::.*$/gm, '') ?? '';
        expect(end.fake.tokens.leaks(raw)).toEqual([]);
      },
    );
  });

  describe('a temporary failure', () => {
    it.each<['oidc' | 'sts' | 'iam' | 'oauth', string, readonly Fault[], number]>([
      ['oidc', '503 twice', statuses(503, 503), 3],
      ['oidc', 'a refusal of a job that is not known yet', statuses(403, 400), 3],
      ['sts', 'a lost answer', [{ kind: 'reset', when: 'after' }], 2],
      ['iam', 'half an answer', [{ kind: 'cut' }], 2],
      ['oauth', '429', statuses(429), 2],
    ])('of %s is retried, and one file is created: %s (D1, D16)', async (at, _, faults, tries) => {
      const end = await runJob({
        with: (fake) => federated(fake, { ...access, access_token_subject: user }),
        cloud: { faults: { [at]: faults } },
      });

      expect(end).toMatchObject({ outcome: 'success', errors: [], leaked: [] });
      expect(end.requests.filter(({ service }) => service === at)).toHaveLength(tries);
      expect(end.log.match(/The credentials file \S+ was removed/g)).toHaveLength(1);
      // It was the only one.
      expect(end.leftovers).toEqual([]);
    });

    it('is not retried if the delay exceeds the deadline', async () => {
      const end = await runJob({
        with: (fake) => federated(fake, { timeout: '5s' }),
        cloud: { faults: { sts: [{ kind: 'status', status: 503, retryAfter: 60 }] } },
      });

      expectNothingDone(end);
      expect(end.errors[0]).toContain('timeout');
    });

    it('of the issuer gets a fresh token', async () => {
      const faults: Faults = { oidc: [{ kind: 'expired token' }] };
      const end = await runJob({ with: (fake) => federated(fake), cloud: { faults } });

      expect(end).toMatchObject({ outcome: 'success', errors: [] });
      expect(end.requests.map(({ service }) => service)).toEqual(['oidc', 'sts', 'oidc', 'sts']);
    });

    it('with a redirect to another host sends nothing to it', async () => {
      const end = await runJob({
        with: (fake) => direct(fake),
        cloud: { faults: { sts: [{ kind: 'redirect', to: 'other host' }] } },
      });

      expectNothingDone(end);
      expect(end.fake.redirectedRequests).toEqual([]);
    });
  });
});
