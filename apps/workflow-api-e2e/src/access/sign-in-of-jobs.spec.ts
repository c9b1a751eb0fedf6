import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder } from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import { startWeir, type Weir } from '../support/weir-server';

const audience = 'https://weir.example.com';

/** The step of a job on GitHub: gets the token of the job and starts a DAG with it. */
const jobStep = `
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer, API, DAG, AUDIENCE } = process.env;
  const asked = await fetch(url + '&audience=' + encodeURIComponent(AUDIENCE), { headers: { authorization: 'Bearer ' + bearer } });
  const { value } = await asked.json();
  const started = await fetch(API + '/dags/' + DAG + '/start', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + value, 'content-type': 'application/json' },
    body: '{}',
  });
  console.log(JSON.stringify({ status: started.status, body: await started.json() }));
`;

const tokenStep = `
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer, AUDIENCE } = process.env;
  const asked = await fetch(url + '&audience=' + encodeURIComponent(AUDIENCE), { headers: { authorization: 'Bearer ' + bearer } });
  console.log((await asked.json()).value);
`;

describe('a job of a CI platform', () => {
  let weir: Weir;
  let github: FakeCloud;
  let admin: string;
  const folder = temporaryFolder();

  beforeAll(async () => {
    github = await startFakeCloud();
    const rules = `
- issuer: ${github.issuer}
  audience: ${audience}
  keys_url: ${github.bases.issuer}/.well-known/jwks
  rules:
    - claims: { repository: example-org/example-repo, ref: refs/heads/main }
      role: operator
      workspaces: [shop]
`;
    await writeFile(folder.file('trust.yaml'), rules);
    weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_JOB_TRUST_FILE: folder.file('trust.yaml') } });
    admin = await setUpAdmin(weir);
    for (const workspace of ['shop', 'bank']) {
      await weir.request('POST', '/workspaces', { token: admin, body: { name: workspace } });
      const spec = `labels: { workspace: ${workspace} }\nsteps: [echo shipped]\n`;
      await weir.request('POST', '/dags', { token: admin, body: { name: `ship-${workspace}`, spec } });
    }
  }, 60_000);
  afterAll(async () => {
    await weir.dispose();
    await github.stop();
    await folder.remove();
  });

  const runJob = async (dag: string, forAudience = audience) => {
    const env = { ...github.env, API: weir.baseUrl, DAG: dag, AUDIENCE: forAudience };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', jobStep], { env });
    return JSON.parse(stdout) as { readonly status: number; readonly body: { readonly dagRunId?: string } };
  };

  it('starts a run with its OIDC token, without a stored secret', async () => {
    const { status, body } = await runJob('ship-shop');
    expect(status).toBe(200);

    const run = await endOfRun(weir, admin, 'ship-shop', body.dagRunId ?? '');
    expect(run.statusLabel).toBe('succeeded');
  });

  it('sees nothing of a workspace that the rule does not name', async () => {
    expect((await runJob('ship-bank')).status).toBe(404);
  });

  describe('GET /job-sign-in/rules', () => {
    it('returns 200 with the rules of the file', async () => {
      await expect(weir.request('GET', '/job-sign-in/rules', { token: admin })).resolves.toMatchObject({
        status: 200,
        body: { issuers: [{ issuer: github.issuer, audience, rules: [{ role: 'operator', workspaces: ['shop'] }] }] },
      });
    });
  });

  describe('POST /job-sign-in/check', () => {
    const check = (token: string) => weir.request('POST', '/job-sign-in/check', { token: admin, body: { token } });

    it('returns 200 for the token of a job, of which nothing is recorded', async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', tokenStep], {
        env: { ...github.env, AUDIENCE: audience },
      });
      const token = stdout.trim();
      await expect(check(token)).resolves.toMatchObject({
        status: 200,
        body: { accepted: true, issuer: github.issuer, rules: [{ matches: true }] },
      });
      const audit = await weir.request('GET', '/audit', { token: admin });
      expect(audit.status).toBe(200);
      for (const part of token.split('.')) expect(JSON.stringify(audit.body)).not.toContain(part);
    });

    it('returns 400 without a token, and for one that is too long', async () => {
      for (const token of ['', 'e'.repeat(16_385)]) expect((await check(token)).status).toBe(400);
    });
  });

  it('is refused with a token for another service', async () => {
    expect((await runJob('ship-shop', 'https://other.example.com')).status).toBe(401);
  });
});

describe('a server with unusable trust rules', () => {
  it('does not start, and reports the reason', async () => {
    const folder = temporaryFolder();
    await writeFile(folder.file('trust.yaml'), '- issuer: https://ci.example.com\n');
    try {
      const env = { WEIR_JOB_TRUST_FILE: folder.file('trust.yaml') };
      await expect(startWeir({ env })).rejects.toThrow('WEIR_JOB_TRUST_FILE');
    } finally {
      await folder.remove();
    }
  });
});
