import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { InspectStep } from '@weir/actions-runner';
import type { FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder } from '@weir/test-kit';
import { inputDefaults } from '../testing/manifest';
import { byKey, federated, type Inputs } from './testing/run-in-process';
import { action, runJob, type JobEnd } from './testing/run-job';

// These cases are in neither the table of flows nor that of refusals.

const access = { token_format: 'access_token' };
const user = { ...access, access_token_subject: 'user@example.com' };

function expectGreen(end: JobEnd): void {
  expect({ outcome: end.outcome, errors: end.errors, leaked: end.leaked }).toEqual({
    outcome: 'success',
    errors: [],
    leaked: [],
  });
}

/** The credentials file as later steps find it. */
async function readCredentialsFile(inputs: (fake: FakeCloud) => Inputs): Promise<unknown> {
  let text = '';
  const read: InspectStep = {
    inspect: ({ env }) => void (text = readFileSync(env.GOOGLE_APPLICATION_CREDENTIALS ?? '', 'utf8')),
  };
  expectGreen(await runJob({ with: inputs, steps: [read] }));
  return JSON.parse(text);
}

describe('an access token of a user', () => {
  it.each([
    ['federation', federated],
    ['key', byKey],
  ])('by %s ends when the output says, to the second and in UTC (D14)', async (_, inputs) => {
    const end = await runJob({ with: (fake) => inputs(fake, user) });
    const expiration = end.outputs.access_token_expiration ?? '';

    expectGreen(end);
    expect(expiration).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const secondsLeft = (Date.parse(expiration) - Date.now()) / 1000;
    expect(secondsLeft).toBeLessThanOrEqual(3600);
    expect(secondsLeft).toBeGreaterThan(3500);
  });
});

describe('custom endpoints', () => {
  it('change no audience and no scope (D17)', async () => {
    const end = await runJob({ with: (fake) => federated(fake, user) });
    const provider = `//iam.googleapis.com/${end.fake.provider}`;
    const bodies = end.requests.map(({ body }) => Object(body) as Readonly<Record<string, string>>);
    const claims = bodies.flatMap(({ payload }) => (payload === undefined ? [] : [JSON.parse(payload) as unknown]));

    expectGreen(end);
    expect(end.requests[0]?.path).toContain(`audience=https:${provider}`);
    expect(bodies[1]).toMatchObject({ audience: provider, scope: 'https://www.googleapis.com/auth/cloud-platform' });
    expect(claims).toMatchObject([{ aud: 'https://oauth2.googleapis.com/token' }]);
  });
});

describe('post', () => {
  it('that cannot remove the file warns, and the job stays green (D18)', async () => {
    const end = await runJob({
      with: (fake) => federated(fake),
      steps: [
        {
          inspect: ({ env }) => {
            const file = env.GOOGLE_APPLICATION_CREDENTIALS ?? '';
            rmSync(file);
            mkdirSync(file);
            writeFileSync(path.join(file, 'work.txt'), 'of a later step');
          },
        },
      ],
    });

    expectGreen(end);
    expect(end.posts[0]).toMatchObject({ outcome: 'success', exitCode: 0 });
    expect(end.warnings).toEqual([expect.stringContaining('was not removed')]);
  });

  it('is small, and loads neither an HTTP stack nor cryptography to remove a file (D20)', () => {
    const folder = temporaryFolder();
    try {
      const probe = folder.file('probe.cjs');
      const result = folder.file('loaded.json');
      writeFileSync(
        probe,
        `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(result)}, JSON.stringify(process.moduleLoadList)));`,
      );
      const post = path.join(action, 'dist/post.js');
      const { status } = spawnSync(process.execPath, ['--require', probe, post], { env: {}, timeout: 20_000 });
      const loaded = JSON.parse(readFileSync(result, 'utf8')) as readonly string[];

      expect(status).toBe(0);
      expect(statSync(post).size).toBeLessThanOrEqual(6 * 1024);
      expect(loaded).toContain('NativeModule fs');
      expect(loaded.filter((name) => /^NativeModule (?:_?https?|_http_\w+|net|tls|crypto)$/.test(name))).toEqual([]);
    } finally {
      rmSync(folder.path, { recursive: true, force: true });
    }
  });
});

describe('the credentials file', () => {
  it('contains the universe, the introspection URL and the lifetime (D19)', async () => {
    expect(
      await readCredentialsFile((fake) => federated(fake, { credentials_file_token_lifetime: '2h' })),
    ).toMatchObject({
      universe_domain: 'googleapis.com',
      token_info_url: expect.stringMatching(/\/v1\/introspect$/) as string,
      service_account_impersonation: { token_lifetime_seconds: 7200 },
    });
    expect(await readCredentialsFile((fake) => byKey(fake))).toMatchObject({ universe_domain: 'googleapis.com' });
  });
});

describe('the jobs that the specs play', () => {
  it.each(Object.keys(inputDefaults))('have the input %s', (name) => {
    const specs = [
      'job-flows.spec.ts',
      'scenarios.spec.ts',
      'credentials-file.spec.ts',
      'file-options.spec.ts',
      'check.spec.ts',
      'identities.spec.ts',
      'docker.spec.ts',
      'packages.spec.ts',
      'other-clouds.spec.ts',
      'aws.spec.ts',
      'azure.spec.ts',
      'azure-cli.spec.ts',
      'azure-powershell.spec.ts',
      'aws-profiles.spec.ts',
      'testing/aws-job.ts',
      'testing/azure-job.ts',
      '../consumers/other-ci.spec.ts',
      'refusals.spec.ts',
      'testing/run-in-process.ts',
    ];
    const texts = specs.map((file) => readFileSync(path.join(__dirname, file), 'utf8'));
    expect(texts.join('\n')).toContain(`${name}: `);
  });
});

describe('docs/specs/auth-action/defects-of-the-peer.md', () => {
  it('names an existing case for each defect', () => {
    const page = readFileSync(path.join(action, '../../docs/specs/auth-action/defects-of-the-peer.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (?<id>D\d+) .*\| `(?<file>[\w-]+\.spec\.ts)` *\|$/gm)].map(
      ({ groups }) => groups,
    );
    const specs = new Map(
      readdirSync(__dirname).map((name) => [
        name,
        name.endsWith('.spec.ts') ? readFileSync(path.join(__dirname, name), 'utf8') : '',
      ]),
    );
    const missing = rows.filter(
      (row) => !new RegExp(`\\(.*\\b${row?.id}\\b.*\\)['"]`).test(specs.get(row?.file ?? '') ?? ''),
    );

    expect(rows.map((row) => row?.id)).toEqual(Array.from({ length: 20 }, (_, index) => `D${index + 1}`));
    expect(missing).toEqual([]);
  });
});
