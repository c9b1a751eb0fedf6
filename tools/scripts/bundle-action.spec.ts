import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';

const bundler = path.join(__dirname, 'bundle-action.mjs');
const tagger = path.join(__dirname, 'tag-action.mjs');

let folder: TemporaryFolder;
let repository: string;
let action: string;

beforeEach(() => {
  folder = temporaryFolder();
  repository = folder.file('repository');
  action = path.join(repository, 'packages/auth-action');
  mkdirSync(path.join(action, 'src'), { recursive: true });
  write('action.yml', "inputs:\n  name:\n    default: 'Ada'\n  title: {}\n");
  write('src/main.ts', "import { greet } from './greet';\nprocess.stdout.write(greet());\n");
  write('src/greet.ts', "export const greet = (): string => 'main';\nexport const unused = 'never seen';\n");
  write('src/post.ts', "process.stdout.write('post');\n");
  setVersion('0.1.0');
});

afterEach(() => folder.remove());

function write(file: string, text: string): void {
  writeFileSync(path.join(action, file), text);
}

function setVersion(version: string): void {
  write('package.json', JSON.stringify({ name: 'an-action', version, license: 'Apache-2.0' }));
}

function run(command: string, args: readonly string[], cwd: string) {
  // Git neither asks for nor takes the settings of the machine.
  const identity = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Spec'],
    [`GIT_${who}_EMAIL`, 'spec@example.com'],
  ]);
  const env = {
    PATH: process.env.PATH,
    HOME: folder.path,
    GIT_CONFIG_NOSYSTEM: '1',
    ...(Object.fromEntries(identity) as Record<string, string>),
  };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 60_000 });
  return { status, stdout, stderr };
}

const bundle = (...args: readonly string[]) => run(process.execPath, [bundler, ...args], action);
const tag = (...args: readonly string[]) => run(process.execPath, [tagger, ...args], repository);

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = run('git', args, repository);
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

function commit(): string {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'change');
  return git('rev-parse', 'HEAD');
}

function release(version: string): string {
  setVersion(version);
  bundle();
  return commit();
}

const listTags = (folder: string) => run('git', ['tag', '--list'], folder).stdout.split('\n').filter(Boolean);
const findCommit = (name: string) => git('rev-parse', `${name}^{commit}`);

describe('bundle-action', () => {
  it('makes files that run by themselves, without what nobody uses, and the same bytes each time', () => {
    bundle();
    const first = readFileSync(path.join(action, 'dist/main.js'));
    expect(readdirSync(path.join(action, 'dist')).sort()).toEqual(['licences.txt', 'main.js', 'post.js']);
    expect(first.toString()).not.toContain('never seen');
    cpSync(path.join(action, 'dist'), folder.file('alone'), { recursive: true });
    expect(run(process.execPath, [folder.file('alone', 'main.js')], folder.path).stdout).toBe('main');
    bundle();
    expect(readFileSync(path.join(action, 'dist/main.js')).equals(first)).toBe(true);
    expect(bundle('--check')).toMatchObject({ status: 0, stderr: '' });
  });

  it('gives main the defaults of the inputs in action.yml', () => {
    write('src/main.ts', 'process.stdout.write(JSON.stringify(WEIR_INPUT_DEFAULTS));\n');
    bundle();
    expect(run(process.execPath, [path.join(action, 'dist/main.js')], folder.path).stdout).toBe(
      '{"name":"Ada","title":""}',
    );
  });

  it.each([
    ['are missing', () => rmSync(path.join(action, 'dist'), { recursive: true }), 'dist/main.js is missing.'],
    ['are older than the sources', () => write('src/post.ts', ''), 'dist/post.js is not what the sources give.'],
    ['come from nowhere', () => write('dist/odd.js', ''), 'dist/odd.js is nothing that the sources give.'],
  ])('says what to do when committed files %s', (_, spoil, problem) => {
    bundle();
    spoil();
    const { status, stderr } = bundle('--check');
    expect(status).toBe(1);
    expect(stderr).toContain(problem);
    expect(stderr).toContain('auth-action:build');
  });

  it('keeps what post loads at run time in a file beside it', () => {
    write('src/post.ts', "void import('./revoke.js').then(({ revoke }) => revoke());\n");
    write('src/revoke.ts', "export const revoke = (): void => void process.stdout.write('revoked');\n");
    bundle();
    expect(readdirSync(path.join(action, 'dist')).sort()).toEqual(['licences.txt', 'main.js', 'post.js', 'revoke.js']);
    expect(readFileSync(path.join(action, 'dist/post.js'), 'utf8')).not.toContain('revoked');
    expect(run(process.execPath, [path.join(action, 'dist/post.js')], folder.path).stdout).toBe('revoked');
  });

  it('refuses a second HTTP stack', () => {
    write('src/main.ts', "import { request } from 'undici';\nvoid request('');\n");
    const { status, stderr } = bundle();
    expect(status).not.toBe(0);
    expect(stderr).toContain('must not hold undici');
  });
});

// A machine may have no git; those who release have it.
const hasGit = spawnSync('git', ['--version']).status === 0;
(hasGit ? describe : describe.skip)('tag-action', () => {
  beforeEach(() => void run('git', ['init', '--quiet', '--initial-branch=main'], repository));

  it('tells what it would do, and does nothing', () => {
    const head = release('0.1.0');
    const { status, stdout } = tag();
    expect(status).toBe(0);
    expect(stdout).toContain(`creates v0.1.0 at ${head}\ncreates v0 at ${head}\n`);
    expect(listTags(repository)).toEqual([]);
  });

  it('makes the tag of the version, and moves that of its line to it', () => {
    const first = release('0.1.0');
    tag('--make');
    const second = release('0.2.0');
    expect(tag('--make').stdout).toContain(`creates v0.2.0 at ${second}\nmoves v0 at ${second}\n`);
    expect(listTags(repository)).toEqual(['v0', 'v0.1.0', 'v0.2.0']);
    expect([findCommit('v0.1.0'), findCommit('v0.2.0'), findCommit('v0')]).toEqual([first, second, second]);
    expect(tag('--make').stdout).toContain('Nothing to do.');
  });

  it('leaves the line where it is for a release before its newest, and other lines alone', () => {
    const newest = release('0.10.0');
    tag('--make');
    release('0.9.1');
    expect(tag('--make').stdout).toContain('v0 is not moved, because there is a newer v0.10.0.');
    release('1.0.0');
    tag('--make');
    expect(listTags(repository)).toEqual(['v0', 'v0.10.0', 'v0.9.1', 'v1', 'v1.0.0']);
    expect(findCommit('v0')).toBe(newest);
  });

  it('pushes those two and no others', () => {
    const remote = folder.file('remote.git');
    run('git', ['init', '--quiet', '--bare', remote], repository);
    for (const version of ['0.1.0', '0.1.1']) {
      release(version);
      git('tag', `private-${version}`);
      expect(tag('--push', remote)).toMatchObject({ status: 0, stderr: '' });
    }
    expect(listTags(remote)).toEqual(['v0', 'v0.1.0', 'v0.1.1']);
  });

  function makeTags(): void {
    tag('--make');
  }

  it.each([
    ['a tag that would have to move', [makeTags, commit], 'never moves'],
    ['changes that are not committed', [() => write('new.txt', '')], 'not committed'],
    ['a bundle of other sources', [() => write('src/post.ts', ''), commit], 'is not what'],
    ['a pre-release', [() => release('0.1.0-rc.1')], 'is no MAJOR.MINOR.PATCH'],
  ])('refuses %s', (_, prepare, reason) => {
    release('0.1.0');
    for (const step of prepare) step();
    const { status, stderr } = tag('--make');
    expect(status).toBe(1);
    expect(stderr).toContain(reason);
  });
});
