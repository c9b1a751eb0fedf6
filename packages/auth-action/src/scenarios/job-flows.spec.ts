import path from 'node:path';
import type { FakeCloud } from '@weir/fake-cloud';
import { accessToken, expectSuccess, findToken, listRequests } from './testing/job-assertions';
import { byKey, direct, federated, type Inputs } from './testing/run-in-process';
import { describeEachNode, type Job } from './testing/run-job';

const idToken = { token_format: 'id_token', id_token_audience: 'https://app.example' };
const user = 'user@example.com';
const middle = 'middle@example-project.iam.gserviceaccount.com';
const target = 'target@example-project.iam.gserviceaccount.com';
const storage = 'https://www.googleapis.com/auth/devstorage.read_only';
const hour = 3600;

describeEachNode((runJob) => {
  describe('a job', () => {
    interface Flow {
      readonly name: string;
      readonly with: (fake: FakeCloud) => Inputs;
      readonly requests: readonly string[];
      readonly token?: Readonly<Record<string, unknown>>;
      readonly cloud?: Job['cloud'];
      readonly lastBody?: Readonly<Record<string, unknown>>;
      readonly warnings?: readonly string[];
    }

    const exchange = ['oidc /oidc/token', 'sts /v1/token'];
    const flows: readonly Flow[] = [
      { name: 'federation', with: (fake) => federated(fake), requests: exchange },
      { name: 'direct federation', with: (fake) => direct(fake), requests: exchange },
      { name: 'a key', with: (fake) => byKey(fake), requests: [] },
      {
        name: 'an access token by federation',
        with: (fake) => federated(fake, accessToken),
        requests: [...exchange, 'iam generateAccessToken'],
        token: { kind: 'access token', principal: 'deployer@example-project.iam.gserviceaccount.com' },
        lastBody: { lifetime: '3600s', scope: ['https://www.googleapis.com/auth/cloud-platform'] },
      },
      {
        name: 'an access token by the unique id of the account',
        with: (fake) => federated(fake, { ...accessToken, service_account: fake.account.uniqueId }),
        requests: [...exchange, 'iam generateAccessToken'],
        token: { principal: 'deployer@example-project.iam.gserviceaccount.com' },
      },
      {
        name: 'a long-lived access token of narrow scopes',
        with: (fake) =>
          federated(fake, { ...accessToken, access_token_lifetime: '12h', access_token_scopes: `${storage}\nopenid` }),
        cloud: { maximumLifetimeSeconds: 12 * hour },
        requests: [...exchange, 'iam generateAccessToken'],
        token: { scopes: [storage, 'openid'] },
        lastBody: { lifetime: '43200s' },
      },
      {
        name: 'a lifetime of 0s, scopes between spaces and options of another token',
        with: (fake) =>
          federated(fake, {
            ...accessToken,
            access_token_lifetime: '0s',
            access_token_scopes: `${storage} openid`,
            id_token_audience: 'https://app.example',
            id_token_include_email: 'true',
          }),
        requests: [...exchange, 'iam generateAccessToken'],
        token: { scopes: [storage, 'openid'] },
        lastBody: { lifetime: '3600s' },
        warnings: ['Input id_token_audience has no effect', 'Input id_token_include_email has no effect'],
      },
      {
        name: 'a user by federation and delegates (D8)',
        with: (fake) =>
          federated(fake, { ...accessToken, service_account: target, delegates: middle, access_token_subject: user }),
        requests: [...exchange, 'iam signJwt', 'oauth /token'],
        token: { principal: user },
      },
      {
        name: 'a user by key (D6)',
        with: (fake) => byKey(fake, { ...accessToken, access_token_subject: user, access_token_lifetime: '10m' }),
        requests: ['oauth /token'],
        token: { principal: user },
      },
      {
        name: 'an access token of direct federation',
        with: (fake) => direct(fake, { ...accessToken, access_token_scopes: storage }),
        requests: exchange,
        token: { kind: 'federated token', scopes: [storage] },
      },
      {
        name: 'an ID token',
        with: (fake) => federated(fake, idToken),
        requests: [...exchange, 'iam generateIdToken'],
        token: { kind: 'id token' },
        lastBody: { audience: 'https://app.example', includeEmail: false },
      },
      {
        name: 'an audience of its own',
        with: (fake) => federated(fake, { ...accessToken, audience: 'my-audience' }),
        cloud: { allowedAudiences: ['my-audience'] },
        requests: [...exchange, 'iam generateAccessToken'],
        token: { kind: 'access token' },
      },
      {
        name: 'another universe',
        with: (fake) => federated(fake, { ...accessToken, universe: 'cloud.example' }),
        cloud: { universe: 'cloud.example' },
        requests: [...exchange, 'iam generateAccessToken'],
        token: { kind: 'access token' },
      },
      {
        name: 'a project and an account in upper case, which it doubts',
        with: (fake) =>
          federated(fake, {
            ...accessToken,
            project_id: 'Example-Project',
            service_account: fake.account.email.toUpperCase(),
          }),
        requests: [...exchange, 'iam generateAccessToken'],
        token: { principal: 'deployer@example-project.iam.gserviceaccount.com' },
        warnings: ['deployer@example-project.iam.gserviceaccount.com is used', 'example-project is used'],
      },
      {
        name: 'the account of a person, which it doubts',
        with: (fake) => federated(fake, { service_account: 'ada@example.com' }),
        requests: exchange,
        warnings: ['is not the email of a service account'],
      },
      {
        name: 'a key without a universe in another one, which it doubts',
        with: (fake) => {
          const { universe_domain: _, ...named } = fake.serviceAccountKey();
          return byKey(fake, { universe: 'cloud.example', credentials_json: JSON.stringify(named) });
        },
        requests: [],
        warnings: ['names no universe'],
      },
      {
        name: 'empty texts for every switch (D11)',
        with: (fake) =>
          federated(fake, { create_credentials_file: '', cleanup_credentials: '', export_environment_variables: '' }),
        requests: exchange,
      },
    ];

    it.each(flows)(
      'authenticates with $name',
      async ({ with: inputs, requests, token, cloud, lastBody, warnings = [] }) => {
        const end = await runJob({ with: inputs, ...(cloud && { cloud }), runner: { debug: true } });

        expectSuccess(end);
        expect(end.warnings).toEqual(warnings.map((text) => expect.stringContaining(text) as string));
        expect(listRequests(end)).toEqual(requests);
        expect(end.seen?.env.GOOGLE_APPLICATION_CREDENTIALS).toBe(end.outputs.credentials_file_path);
        expect(path.basename(end.outputs.credentials_file_path ?? '')).toMatch(/^gha-creds-[0-9a-f]{16}\.json$/);
        if (token === undefined) expect(findToken(end)).toBeUndefined();
        else expect(findToken(end)).toMatchObject(token);
        expect(end.requests.at(-1)?.body ?? {}).toMatchObject(lastBody ?? {});
        if (end.outputs.access_token === undefined) return;
        expect(end.outputs.access_token_expiration).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        const expiry = Date.parse(end.outputs.access_token_expiration ?? '') / 1000;
        expect(Math.abs(expiry - (findToken(end)?.expiresAtSeconds ?? 0))).toBeLessThanOrEqual(2);
      },
    );

    it.each([
      ['the input', { project_id: 'given-project' }, 'given-project'],
      [
        'nothing for an account of the platform (D9)',
        { service_account: '1-compute@developer.gserviceaccount.com' },
        undefined,
      ],
    ])('takes the project from %s', async (_, inputs, project) => {
      const { outputs, env } = await runJob({ with: (fake) => federated(fake, inputs) });

      expect([outputs.project_id, env.GOOGLE_CLOUD_PROJECT]).toEqual([project, project]);
    });

    it('sends the request reason and the user agent with every request (D7)', async () => {
      const inputs = {
        ...accessToken,
        access_token_subject: user,
        request_reason: 'ticket 42',
        revoke_access_token: 'true',
      };
      const { requests } = await runJob({ with: (fake) => federated(fake, inputs) });

      for (const { headers } of requests) {
        expect(headers['user-agent']).toMatch(/^weir-auth-action\/\d+\.\d+\.\d+ \(octo-org\/octo-repo; run \d+\/1\)$/);
      }
      expect(requests.map(({ service, headers }) => [service, headers['x-goog-request-reason']])).toEqual([
        ['oidc', undefined],
        ['sts', 'ticket 42'],
        ['iam', 'ticket 42'],
        ['oauth', 'ticket 42'],
        ['revoke', 'ticket 42'],
      ]);
    });
  });
});
