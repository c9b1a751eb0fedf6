import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fetchAction, findLeaks, runSteps } from '@weir/actions-runner';
import { createTestAuthority, startConnectProxy, startFakeCloud } from '@weir/fake-cloud';
import { describeUnless } from '@weir/test-kit';
import { parse } from 'yaml';
import { writeExportCommit } from './export-commit';
import { exportFiles } from './exported-files';
import { createGit } from './git';
import { planRefs } from './plan-refs';
import { pushRefs, readRefs } from './publish-commit';
import { findRunnerNode } from './testing/runner-node';
import { copyOfThisRepository, type SourceRepository } from './testing/source-repository';

const repositoryName = 'acme/weir-cloud-auth';
const missing = spawnSync('git', ['--version']).status === 0 ? undefined : 'git is not installed';

describeUnless(missing, 'using the published action')('the published action', () => {
  const authority = createTestAuthority();
  let source: SourceRepository;
  let version: string;
  let jobs = 0;
  beforeAll(() => {
    source = copyOfThisRepository();
    const git = createGit(source.folder);
    const head = git.text(['rev-parse', 'HEAD']);
    const exported = exportFiles(git, head, repositoryName);
    version = exported.version;
    const folder = source.file('export.git');
    const commit = writeExportCommit(exported, git, head, folder);
    const target = createGit(folder);
    pushRefs(target, source.remote, commit, planRefs(version, commit, readRefs(target, source.remote)));
  });
  afterAll(async () => {
    await source.remove();
    await authority.remove();
  });

  const fetch = (ref: string, folder: string): string => {
    fetchAction({ url: `file://${source.remote}`, ref, folder });
    return folder;
  };

  /** A job of a user, against the real host names. */
  async function runJob(ref: string, node: string) {
    const folder = source.file(`job-${(jobs += 1)}`);
    const workspace = path.join(folder, 'workspace');
    mkdirSync(workspace, { recursive: true });
    const fake = await startFakeCloud({ authority });
    const proxy = await startConnectProxy({ route: fake.route, ca: authority });
    const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = fake.env;
    try {
      const end = await runSteps({
        workspace,
        node,
        env: proxy.env,
        secrets: [token],
        idToken: { url, token },
        steps: [
          {
            id: 'auth',
            action: fetch(ref, path.join(folder, 'action')),
            uses: { repository: repositoryName, ref },
            with: {
              workload_identity_provider: fake.provider,
              service_account: fake.account.email,
              token_format: 'access_token',
            },
          },
        ],
      });
      const secrets = Object.fromEntries(fake.tokens.all().map(({ name, secret }) => [name, secret]));
      return { end, leaks: findLeaks(end, secrets, { outputs: ['access_token', 'auth_token'] }), fake };
    } finally {
      await proxy.stop();
      await fake.stop();
    }
  }

  for (const major of [20, 24]) {
    const found = findRunnerNode(major);
    const node = 'node' in found ? found.node : '';
    describeUnless('node' in found ? undefined : found.missing, 'a runner')(`on Node ${major}`, () => {
      it.each<[string, () => string]>([
        ['its line', () => 'v0'],
        ['its version', () => `v${version}`],
        ['the branch', () => 'main'],
      ])('gives a job its credentials by %s', async (_, ref) => {
        const { end, leaks, fake } = await runJob(ref(), node);

        expect(end.log).not.toContain('##[error]');
        expect(end.outcome).toBe('success');
        expect(end.steps[0]?.outputs.access_token).toBe(fake.tokens.ofKind('access token').at(-1)?.secret);
        expect(end.leftovers.filter(({ path: file }) => file.includes('gha-creds-'))).toEqual([]);
        expect(leaks).toEqual([]);
      });
    });
  }

  it('has the files of this checkout', () => {
    const folder = fetch('v0', source.file('files'));
    const own = path.resolve(__dirname, '../../packages/auth-action');

    for (const name of ['action.yml', 'dist/main.js', 'dist/post.js']) {
      expect(readFileSync(path.join(folder, name)).equals(readFileSync(path.join(own, name)))).toBe(true);
    }
  });

  it('has a name of its own, and pages that name its repository and link to each other', () => {
    const folder = fetch('v0', source.file('pages'));
    const files = createGit(source.remote).text(['ls-tree', '-r', '--name-only', 'v0']).split('\n');
    const pages = files.filter((file) => file.endsWith('.md'));
    const links = pages.flatMap((page) =>
      [...readFileSync(path.join(folder, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
        ([, target = '']) => path.posix.join(path.posix.dirname(page), target),
      ),
    );
    const { name } = parse(readFileSync(path.join(folder, 'action.yml'), 'utf8')) as { readonly name: string };
    const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');

    expect(name).toBe('Weir Cloud Auth');
    expect(readme).toMatch(/^# Weir Cloud Auth\n/);
    expect(readme).toContain(`uses: ${repositoryName}@v0`);
    expect(pages.map((page) => readFileSync(path.join(folder, page), 'utf8')).join()).not.toContain('org/auth-action');
    expect(pages).toEqual(expect.arrayContaining(['CHANGELOG.md', 'README.md', 'security.md', 'docs/examples.md']));
    expect(links.filter((target) => !files.includes(target))).toEqual([]);
    expect(links).toContain('security.md');
  });
});
