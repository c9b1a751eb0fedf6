import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { statuses, type FakeCloud } from '@weir/fake-cloud';
import { byKey, direct, federated, type Inputs } from './testing/run-in-process';
import { checkOut, describeEachNode, type Job, type JobEnd } from './testing/run-job';

const access = { token_format: 'access_token' };
const id = { token_format: 'id_token', id_token_audience: 'https://app.example' };
const user = 'user@example.com';
const middle = 'middle@example-project.iam.gserviceaccount.com';
const target = 'target@example-project.iam.gserviceaccount.com';
const storage = 'https://www.googleapis.com/auth/devstorage.read_only';
const hour = 3600;

const credentialsFiles = ({ leftovers }: JobEnd) =>
  leftovers.flatMap(({ path: file }) => (file.includes('gha-creds-') ? [path.basename(file)] : []));
const findToken = ({ fake, outputs }: JobEnd) =>
  fake.tokens.all().find(({ secret }) => secret === (outputs.access_token ?? outputs.id_token));
const calls = ({ requests }: JobEnd) =>
  requests.map(({ service, path: at }) => `${service} ${/[^:?]+(?=\?|$)/.exec(at)?.[0]}`);

/** Whatever else a job does. */
function expectGreen(end: JobEnd): void {
  expect({ errors: end.errors, leaked: end.leaked }).toEqual({ errors: [], leaked: [] });
  expect(end.outcome).toBe('success');
  expect(credentialsFiles(end)).toEqual([]);
}

describeEachNode((runJob) => {
  describe('a job', () => {
    interface Flow {
      readonly name: string;
      readonly with: (fake: FakeCloud) => Inputs;
      readonly asks: readonly string[];
      readonly becomes?: Readonly<Record<string, unknown>>;
      readonly cloud?: Job['cloud'];
      readonly lastBody?: Readonly<Record<string, unknown>>;
    }

    const exchange = ['oidc /oidc/token', 'sts /v1/token'];
    const flows: readonly Flow[] = [
      { name: 'federation', with: (fake) => federated(fake), asks: exchange },
      { name: 'direct federation', with: (fake) => direct(fake), asks: exchange },
      { name: 'a key', with: (fake) => byKey(fake), asks: [] },
      {
        name: 'a key in base64',
        with: (fake) =>
          byKey(fake, { credentials_json: Buffer.from(JSON.stringify(fake.serviceAccountKey())).toString('base64') }),
        asks: [],
      },
      {
        name: 'an access token by federation',
        with: (fake) => federated(fake, access),
        asks: [...exchange, 'iam generateAccessToken'],
        becomes: { kind: 'access token', principal: 'deployer@example-project.iam.gserviceaccount.com' },
        lastBody: { lifetime: '3600s', scope: ['https://www.googleapis.com/auth/cloud-platform'] },
      },
      {
        name: 'an access token by the unique id of the account',
        with: (fake) => federated(fake, { ...access, service_account: fake.account.uniqueId }),
        asks: [...exchange, 'iam generateAccessToken'],
        becomes: { principal: 'deployer@example-project.iam.gserviceaccount.com' },
      },
      {
        name: 'a long-lived access token of narrow scopes',
        with: (fake) =>
          federated(fake, { ...access, access_token_lifetime: '12h', access_token_scopes: `${storage}\nopenid` }),
        cloud: { maximumLifetimeSeconds: 12 * hour },
        asks: [...exchange, 'iam generateAccessToken'],
        becomes: { scopes: [storage, 'openid'] },
        lastBody: { lifetime: '43200s' },
      },
      {
        name: 'an access token through delegates',
        with: (fake) => federated(fake, { ...access, service_account: target, delegates: middle }),
        asks: [...exchange, 'iam generateAccessToken'],
        becomes: { principal: target },
      },
      {
        name: 'a user by federation and delegates (D8)',
        with: (fake) =>
          federated(fake, { ...access, service_account: target, delegates: middle, access_token_subject: user }),
        asks: [...exchange, 'iam signJwt', 'oauth /token'],
        becomes: { principal: user },
      },
      {
        name: 'a user by key (D6)',
        with: (fake) => byKey(fake, { ...access, access_token_subject: user, access_token_lifetime: '10m' }),
        asks: ['oauth /token'],
        becomes: { principal: user },
      },
      {
        name: 'a user by key through another account',
        with: (fake) => byKey(fake, { ...access, access_token_subject: user, service_account: middle }),
        asks: ['iam signJwt', 'oauth /token'],
        becomes: { principal: user },
      },
      {
        name: 'an access token of direct federation',
        with: (fake) => direct(fake, { ...access, access_token_scopes: storage }),
        asks: exchange,
        becomes: { kind: 'federated token', scopes: [storage] },
      },
      {
        name: 'an access token by key',
        with: (fake) => byKey(fake, access),
        asks: ['iam generateAccessToken'],
        becomes: { kind: 'access token' },
      },
      {
        name: 'an ID token',
        with: (fake) => federated(fake, id),
        asks: [...exchange, 'iam generateIdToken'],
        becomes: { kind: 'id token' },
        lastBody: { audience: 'https://app.example', includeEmail: false },
      },
      {
        name: 'an ID token with an email address by key',
        with: (fake) => byKey(fake, { ...id, id_token_include_email: 'true' }),
        asks: ['iam generateIdToken'],
        becomes: { kind: 'id token' },
        lastBody: { includeEmail: true },
      },
      {
        name: 'an audience of its own',
        with: (fake) => federated(fake, { ...access, audience: 'my-audience' }),
        cloud: { allowedAudiences: ['my-audience'] },
        asks: [...exchange, 'iam generateAccessToken'],
        becomes: { kind: 'access token' },
      },
      {
        name: 'another universe',
        with: (fake) => federated(fake, { ...access, universe: 'cloud.example' }),
        cloud: { universe: 'cloud.example' },
        asks: [...exchange, 'iam generateAccessToken'],
        becomes: { kind: 'access token' },
      },
      {
        name: 'empty texts for every switch (D11)',
        with: (fake) =>
          federated(fake, { create_credentials_file: '', cleanup_credentials: '', export_environment_variables: '' }),
        asks: exchange,
      },
    ];

    it.each(flows)('signs in by $name', async ({ with: inputs, asks, becomes, cloud, lastBody }) => {
      const end = await runJob({ with: inputs, ...(cloud && { cloud }), runner: { debug: true } });

      expectGreen(end);
      expect(calls(end)).toEqual(asks);
      expect(end.seen?.env.GOOGLE_APPLICATION_CREDENTIALS).toBe(end.outputs.credentials_file_path);
      expect(path.basename(end.outputs.credentials_file_path ?? '')).toMatch(/^gha-creds-[0-9a-f]{16}\.json$/);
      if (becomes === undefined) expect(findToken(end)).toBeUndefined();
      else expect(findToken(end)).toMatchObject(becomes);
      expect(end.requests.at(-1)?.body ?? {}).toMatchObject(lastBody ?? {});
      if (end.outputs.access_token === undefined) return;
      expect(end.outputs.access_token_expiration).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      const expiry = Date.parse(end.outputs.access_token_expiration ?? '') / 1000;
      expect(Math.abs(expiry - (findToken(end)?.expiresAtSeconds ?? 0))).toBeLessThanOrEqual(2);
    });

    it.each([
      ['the input', { project_id: 'given-project' }, 'given-project'],
      ["the account's email", {}, 'example-project'],
      [
        'nothing for an account of the platform (D9)',
        { service_account: '1-compute@developer.gserviceaccount.com' },
        undefined,
      ],
      ['nothing for an app account (D9)', { service_account: 'app@appspot.gserviceaccount.com' }, undefined],
    ])('has its project from %s', async (_, inputs, project) => {
      const { outputs, env } = await runJob({ with: (fake) => federated(fake, inputs) });

      expect([outputs.project_id, env.GOOGLE_CLOUD_PROJECT]).toEqual([project, project]);
    });

    it('sends its reason and its name with every call, to whatever service (D7)', async () => {
      const inputs = {
        ...access,
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

  describe('a job that knows what it wants', () => {
    it('passes guard rails that hold, and has no summary where none is wanted', async () => {
      const inputs = { expected_project: 'example-project', step_summary: 'false' };
      const end = await runJob({
        with: (fake) => federated(fake, { ...inputs, expected_account: fake.account.email }),
      });

      expectGreen(end);
      expect(end.steps[0]?.summary).toBe('');
    });

    it('is led nowhere else by variables that earlier steps may set', async () => {
      const env = { GHA_ENDPOINT_OVERRIDE_sts: 'http://127.0.0.1:9', CLOUDSDK_AUTH_TOKEN_HOST: 'http://127.0.0.1:9' };

      expectGreen(await runJob({ with: (fake) => federated(fake, access), runner: { env } }));
    });

    it('leaves nothing when a later step fails', async () => {
      const failing = { program: process.execPath, args: ['-e', 'process.exit(3)'] };
      const end = await runJob({ with: (fake) => federated(fake), steps: [failing] });

      expect(end).toMatchObject({ outcome: 'failure', leftovers: [], leaked: [] });
      expect(end.errors).toEqual(['Process completed with exit code 3.']);
    });
  });

  describe('the search for leaks', () => {
    it('finds a token that a step leaves in base64', async () => {
      const end = await runJob({
        with: (fake) => federated(fake, access),
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

  describe('an access token that is to be revoked', () => {
    const inputs = { ...access, revoke_access_token: 'true' };

    it('is revoked at the end of the job', async () => {
      const end = await runJob({ with: (fake) => federated(fake, inputs), runner: { debug: true } });

      expectGreen(end);
      expect(findToken(end)).toMatchObject({ isRevoked: true });
      expect(calls(end).at(-1)).toBe('revoke /revoke');
    });

    it('does not fail the job where that does not work', async () => {
      const faults = { revoke: statuses(500, 500, 500, 500, 500, 500) };
      const end = await runJob({ with: (fake) => federated(fake, inputs), cloud: { faults } });

      expectGreen(end);
      expect(end.warnings).toHaveLength(1);
    });
  });

  describe('the credentials file', () => {
    it('is for its owner alone, is kept out of git, and is gone at the end with every trace', async () => {
      const job: { mode?: number; exclude?: string; name?: string } = {};
      const end = await runJob({
        with: (fake) => federated(fake),
        steps: [
          {
            inspect: ({ env, workspace }) => {
              const file = env.GOOGLE_APPLICATION_CREDENTIALS ?? '';
              job.mode = lstatSync(file).mode & 0o777;
              job.name = path.basename(file);
              job.exclude = readFileSync(path.join(workspace, '.git', 'info', 'exclude'), 'utf8');
            },
          },
        ],
      });

      expectGreen(end);
      expect(job.mode).toBe(0o600);
      expect(job.exclude).toBe(`# kept\n/${job.name}\n`);
      expect(end.leftovers).toEqual([]);
    });

    it.each([
      [
        'in a folder of a tree',
        (workspace: string) => path.dirname(workspace),
        (name: string) => `# kept\n/workspace/${name}\n`,
      ],
      ['beside a tree', (workspace: string) => path.join(workspace, 'checkout'), () => '# kept\n'],
    ])('is kept out of git %s', async (_, treeOf, expected) => {
      let exclude = '';
      const end = await runJob({
        with: (fake) => federated(fake),
        prepare: (workspace) => checkOut(treeOf(workspace)),
        steps: [
          {
            inspect: ({ workspace }) => {
              exclude = readFileSync(path.join(treeOf(workspace), '.git', 'info', 'exclude'), 'utf8');
            },
          },
        ],
      });

      expectGreen(end);
      expect(exclude).toBe(expected(path.basename(end.outputs.credentials_file_path ?? '')));
    });

    it('has the rights that were asked for', async () => {
      let mode = 0;
      await runJob({
        with: (fake) => federated(fake, { credentials_file_mode: '0644' }),
        steps: [
          { inspect: ({ env }) => void (mode = lstatSync(env.GOOGLE_APPLICATION_CREDENTIALS ?? '').mode & 0o777) },
        ],
      });

      expect(mode).toBe(0o644);
    });

    it('is removed where no variable leads to it (D4)', async () => {
      const end = await runJob({ with: (fake) => federated(fake, { export_environment_variables: 'false' }) });

      expectGreen(end);
      expect(end.env).toEqual({});
    });

    it('is not written where none is wanted', async () => {
      const end = await runJob({ with: (fake) => federated(fake, { create_credentials_file: 'false' }) });

      expectGreen(end);
      expect(end.outputs).toEqual({ project_id: 'example-project' });
      expect(Object.keys(end.env)).toHaveLength(5);
    });

    it('stays where it is not to be removed', async () => {
      const end = await runJob({ with: (fake) => federated(fake, { cleanup_credentials: 'false' }) });

      expect(end.outcome).toBe('success');
      expect(credentialsFiles(end)).toEqual([path.basename(end.outputs.credentials_file_path ?? '')]);
    });

    it('is removed by the step that made it, where a job has several (D3)', async () => {
      const end = await runJob({ with: (fake) => [federated(fake), byKey(fake), direct(fake)] });
      const files = end.steps.map(({ outputs }) => outputs.credentials_file_path);

      expectGreen(end);
      expect(new Set(files).size).toBe(3);
      expect(end.posts.map(({ index, log }) => [index, log.includes('was removed')])).toEqual([
        [2, true],
        [1, true],
        [0, true],
      ]);
    });

    it('may be gone by the end: a checkout wipes the workspace', async () => {
      const end = await runJob({
        with: (fake) => federated(fake),
        steps: [{ inspect: ({ env }) => rmSync(env.GOOGLE_APPLICATION_CREDENTIALS ?? '') }],
      });

      expectGreen(end);
      expect(end.posts[0]).toMatchObject({ outcome: 'success', annotations: [] });
    });

    it('is what post removes, wherever a later step lets the variables point (D5)', async () => {
      const end = await runJob({
        with: (fake) => federated(fake),
        steps: [
          {
            program: process.execPath,
            args: [
              '-e',
              `const fs = require('node:fs');
             fs.mkdirSync('precious'); fs.writeFileSync('precious/work.txt', 'x');
             fs.appendFileSync(process.env.GITHUB_ENV, 'GOOGLE_GHA_CREDS_PATH=' + process.cwd() + '/precious\\n');`,
            ],
          },
        ],
      });

      expectGreen(end);
      expect(end.leftovers.map(({ path: file }) => path.basename(file))).toEqual(['work.txt']);
    });

    it('that was replaced is left, with a warning and a green job', async () => {
      const end = await runJob({
        with: (fake) => federated(fake),
        steps: [
          {
            inspect: ({ env }) => {
              const file = env.GOOGLE_APPLICATION_CREDENTIALS ?? '';
              // While the first one is there, so that it cannot get its inode.
              writeFileSync(`${file}.new`, 'of somebody else');
              renameSync(`${file}.new`, file);
            },
          },
        ],
      });

      expect(end.outcome).toBe('success');
      expect(credentialsFiles(end)).toHaveLength(1);
      expect(end.warnings).toEqual([expect.stringContaining('was not removed')]);
    });

    it.each([
      ['.dockerignore', 'node_modules\n'],
      ['Dockerfile', 'FROM scratch\n'],
      ['.gcloudignore', '.git\n'],
    ])('is warned of where %s would let it out', async (name, text) => {
      const end = await runJob({
        with: (fake) => federated(fake),
        prepare: (workspace) => {
          checkOut(workspace);
          writeFileSync(path.join(workspace, name), text);
        },
      });

      expectGreen(end);
      expect(end.warnings).toEqual([expect.stringContaining('gha-creds-*.json')]);
    });
  });
});
