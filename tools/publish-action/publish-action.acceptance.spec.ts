import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeUnless } from '@weir/test-kit';
import { publishAction, type PublishOptions } from './publish-action';
import { setVersion, smallRepository, type SourceRepository } from './testing/source-repository';

const main = path.join(__dirname, 'main.ts');
const root = path.resolve(__dirname, '../..');
const missing = spawnSync('git', ['--version']).status === 0 ? undefined : 'git is not installed';

describeUnless(missing, 'publishing the action')('publish-action', () => {
  let source: SourceRepository;
  beforeEach(() => void (source = smallRepository('0.1.0')));
  afterEach(() => source.remove());

  function publish(options: Partial<PublishOptions> = {}): string {
    const lines: string[] = [];
    const defaults = { repository: 'acme/auth', source: source.folder, tag: false };
    const nothing = { output: undefined, push: undefined, release: undefined };
    publishAction({ ...defaults, ...nothing, ...options }, (line) => void lines.push(line));
    return lines.map((line) => `${line}\n`).join('');
  }

  const push = () => publish({ tag: true, push: source.remote });
  const listRefs = () => source.git('ls-remote', '--tags', '--heads', source.remote).split('\n').filter(Boolean);
  const findCommit = (name: string) =>
    listRefs()
      .find((line) => line.endsWith(`/${name}`))
      ?.slice(0, 40);

  it('prints the commit and its files, and changes nothing', () => {
    const stdout = publish();

    expect(stdout).toMatch(/^An action 0\.1\.0: commit [0-9a-f]{40}, from [0-9a-f]{40}\n/);
    expect(stdout.match(/^ {2}\S+(?=:)/gm)).toEqual([
      '  action.yml',
      '  dist/licences.txt',
      '  dist/main.js',
      '  dist/post.js',
      '  LICENSE',
      '  CHANGELOG.md',
      '  README.md',
      '  security.md',
    ]);
    expect(listRefs()).toEqual([]);
    expect(source.git('tag', '--list')).toBe('');
  });

  it('creates the tag here, and the commit, the tags and main there', () => {
    push();

    expect(source.git('rev-parse', 'auth-action-v0.1.0')).toBe(source.git('rev-parse', 'HEAD'));
    expect(new Set([findCommit('v0.1.0'), findCommit('v0'), findCommit('main')]).size).toBe(1);
    expect(listRefs()).toHaveLength(3);
    expect(push()).toContain('Nothing to push: the tags are there.');
  });

  it('moves the tag of the line and main with the next release, and leaves the first where it was', () => {
    push();
    const first = findCommit('v0.1.0');
    setVersion(source, '0.2.0');
    source.commit();

    expect(push()).toContain('created v0.2.0\nmoved v0\nmoved main\n');
    expect(findCommit('v0.1.0')).toBe(first);
    expect(new Set([first, findCommit('v0.2.0')]).size).toBe(2);
    expect([findCommit('v0'), findCommit('main')]).toEqual([findCommit('v0.2.0'), findCommit('v0.2.0')]);
  });

  it('makes the same commit in another checkout, whoever runs it, wherever', () => {
    push();
    const clone = source.file('clone');
    source.git('clone', '--quiet', '--depth', '1', '--branch', 'auth-action-v0.1.0', `file://${source.folder}`, clone);
    const args = ['--import', 'tsx', main, '--source', clone, '--repository', 'acme/auth'];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      env: { ...source.env, GIT_AUTHOR_NAME: 'Else', GIT_COMMITTER_NAME: 'Else', TZ: 'Asia/Tokyo', LANG: 'C' },
      encoding: 'utf8',
      timeout: 60_000,
    });

    expect(stderr).toBe('');
    expect(stdout).toContain(`commit ${findCommit('v0.1.0')},`);
  });

  it('writes the files that it publishes into a folder', () => {
    const folder = source.file('output');
    publish({ output: folder });

    expect(readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8')).toBe('# Changelog\n\n## 0.1.0\n\n- Is new.\n');
    expect(readFileSync(path.join(folder, 'dist/main.js'), 'utf8')).toContain('main');
  });

  function change(): void {
    source.write('packages/auth-action/README.md', '# Changed\n');
    source.commit();
  }

  it.each<[string, () => void, Partial<PublishOptions>, string]>([
    ['changes that are not committed', () => source.write('new.txt', ''), {}, 'not committed'],
    [
      'a bundle of other sources',
      () => {
        source.write('packages/auth-action/src/post.ts', '');
        source.commit();
      },
      {},
      'dist/post.js is not what the sources give',
    ],
    [
      'a pre-release',
      () => {
        setVersion(source, '0.1.0-rc.1');
        source.commit();
      },
      {},
      '0.1.0-rc.1 is not MAJOR.MINOR.PATCH',
    ],
    [
      'a tag that would have to move here',
      () => {
        source.git('tag', 'auth-action-v0.1.0');
        change();
      },
      { tag: true },
      'auth-action-v0.1.0 is already at',
    ],
    [
      'a commit whose version another commit has',
      () => {
        source.git('tag', 'auth-action-v0.1.0');
        change();
      },
      { push: '/nowhere' },
      'The tag auth-action-v0.1.0 is at',
    ],
    ['a commit without a tag', () => undefined, { push: '/nowhere' }, 'auth-action-v0.1.0 does not exist'],
    ['a remote that cannot be read', () => undefined, { tag: true, push: '/nowhere' }, 'git ls-remote failed'],
  ])('refuses %s', (_, prepare, options, reason) => {
    prepare();

    expect(() => publish(options)).toThrow(reason);
    expect(listRefs()).toEqual([]);
  });

  it('refuses a release with other content there', () => {
    push();
    const published = findCommit('v0.1.0');
    source.git('tag', '--delete', 'auth-action-v0.1.0');
    change();

    expect(push).toThrow('v0.1.0 is already at');
    expect(findCommit('v0.1.0')).toBe(published);
  });

  it.each([
    [['--repository', 'auth'], 'auth is not OWNER/NAME.'],
    [['--release', 'yes'], '--release is draft or published.'],
    [['--asset', 'a.json'], '--release is draft or published.'],
    [['--release', 'draft'], '--release needs --push: a release is of a tag that is there.'],
  ])('is refused on the command line with %j, one line and exit code 1', (args, reason) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', main, ...args], {
      cwd: root,
      encoding: 'utf8',
      timeout: 60_000,
    });

    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: `${reason}\n` });
  });
});
