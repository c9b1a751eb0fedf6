import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeUnless } from '@weir/test-kit';
import { parse } from 'yaml';
import { createFakeGithub, type FakeGithub } from './testing/fake-github';
import { smallRepository, type SourceRepository } from './testing/source-repository';

interface WorkflowStep {
  readonly id?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: unknown;
  readonly jobs: {
    readonly publish: { readonly if: string; readonly permissions: unknown; readonly steps: readonly WorkflowStep[] };
  };
}

const root = path.resolve(__dirname, '../..');
const file = path.join(root, '.github/workflows/release-auth-action.yml');
// The file is in this repository, and the cases below check everything that is used of it.
const { on, jobs } = parse(readFileSync(file, 'utf8')) as Workflow;
const { publish } = jobs;
const missing = ['git', 'bash', 'base64'].find((program) => spawnSync(program, ['--version']).status !== 0);

describe('.github/workflows/release-auth-action.yml', () => {
  it('runs for releases of the action only, and may state provenance but not write here', () => {
    expect(on).toEqual({ release: { types: ['published'] } });
    expect(publish.if).toContain("startsWith(github.ref_name, 'auth-action-v')");
    expect(publish.permissions).toEqual({ contents: 'read', 'id-token': 'write', attestations: 'write' });
  });

  it('names other actions by commit', () => {
    const uses = publish.steps.flatMap((step) => step.uses ?? []);

    expect(uses).toHaveLength(3);
    expect(uses.filter((name) => !/^actions\/[\w-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
  });

  it('states the provenance of the files that it exports', () => {
    const [attestation] = publish.steps.filter(({ uses }) => uses?.startsWith('actions/attest@'));

    expect(attestation?.with?.['subject-path']).toBe('${{ runner.temp }}/auth-action/**');
    expect(publish.steps.some(({ run }) => run?.includes('--output "$RUNNER_TEMP/auth-action"'))).toBe(true);
    expect(publish.steps.at(-1)?.env?.PROVENANCE).toBe(`\${{ steps.${String(attestation?.id)}.outputs.bundle-path }}`);
  });
});

describeUnless(missing && `${missing} is not installed`, 'the steps of a release')('the steps of a release', () => {
  let source: SourceRepository;
  let github: FakeGithub;
  beforeEach(() => {
    source = smallRepository('0.1.0');
    source.git('tag', 'auth-action-v0.1.0');
    github = createFakeGithub(source, 'acme/cloud-auth');
    writeFileSync(source.file('bundle.json'), '{"provenance":true}');
  });
  afterEach(() => source.remove());

  /** With the other checkout as source, and a folder in place of the web. */
  function play(run: string) {
    const config = source.file('gitconfig');
    writeFileSync(config, `[url "file://${source.remote}"]\n\tinsteadOf = https://github.com/acme/cloud-auth.git\n`);
    mkdirSync(source.file('temp'), { recursive: true });
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-e', '-c', `node() { command node "$@" --source "$SOURCE"; }\n${run}`],
      {
        cwd: root,
        env: {
          ...source.env,
          PATH: [path.dirname(github.program), path.dirname(process.execPath), source.env.PATH].join(path.delimiter),
          SOURCE: source.folder,
          GIT_CONFIG_GLOBAL: config,
          RUNNER_TEMP: source.file('temp'),
          AUTH_ACTION_REPOSITORY: 'acme/cloud-auth',
          GH_TOKEN: 'a-token',
          PROVENANCE: source.file('bundle.json'),
          RELEASE: 'published',
        },
        encoding: 'utf8',
        timeout: 100_000,
      },
    );
    return { status, stdout, stderr };
  }

  it('write the files, push what was written, and publish its release with the provenance', () => {
    const results = publish.steps.flatMap(({ run }) => (run === undefined ? [] : [play(run)]));

    expect(results.map(({ status, stderr }) => ({ status, stderr }))).toEqual([
      { status: 0, stderr: '' },
      { status: 0, stderr: '' },
    ]);
    expect(results[1]?.stdout).toContain(`::add-mask::${btoa('x-access-token:a-token')}\n`);
    expect(results[1]?.stdout).toContain('created v0.1.0\ncreated v0\ncreated main\n');
    expect(results[1]?.stdout).toContain('published the release v0.1.0\n');
    expect(github.read().releases).toMatchObject([
      { tag_name: 'v0.1.0', immutable: true, assets: { 'provenance.json': '{"provenance":true}' } },
    ]);
    expect(existsSync(source.file('temp', 'auth-action', 'action.yml'))).toBe(true);
    const readme = source.git('-C', source.remote, 'show', 'v0:README.md');
    expect(`${readme}\n`).toBe(readFileSync(source.file('temp', 'auth-action', 'README.md'), 'utf8'));
  });
});
