import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { published, useRepository } from './testing/use-repository';

const repo = useRepository();
const { git, pushFile, call, failure, read } = repo;

describe('git.clone', () => {
  it('clones the default branch', async () => {
    const ran = await call('git.clone', { repository: repo.bare, path: 'src' });

    expect(read('src/a.txt')).toBe('two');
    expect(published(ran)).toEqual({ commit: git(repo.work, 'rev-parse', 'HEAD'), branch: 'main', changed: true });
    expect(ran.started.length).toBeGreaterThan(0);
    expect(git(repo.fixture.path('src'), 'status', '--porcelain', '--branch')).toBe('## main...origin/main');
  });

  it.each([
    ['a tag', 'v1'],
    ['a commit', 'HEAD~1'],
  ])('checks out %s', async (_, name) => {
    const ref = name === 'v1' ? name : git(repo.work, 'rev-parse', name);

    expect(
      published(await call('git.clone', { repository: './repositories/app.git', path: 'src', ref })),
    ).toMatchObject({ commit: git(repo.work, 'rev-parse', 'v1'), branch: '' });
    expect(read('src/a.txt')).toBe('one');
  });

  it('fetches as many commits as depth says', async () => {
    await call('git.clone', { repository: `file://${repo.bare}`, path: 'src', ref: 'main', depth: 1 });

    expect(git(repo.fixture.path('src'), 'rev-list', '--count', 'HEAD')).toBe('1');
  });

  it('refuses a folder that is not empty, and does not touch it', async () => {
    mkdirSync(repo.fixture.path('src'));
    writeFileSync(repo.fixture.path('src/mine'), 'x');

    expect(await failure('git.clone', { repository: repo.bare, path: 'src' })).toMatchObject({
      error: 'path is a folder that is not empty.',
    });
    expect(readdirSync(repo.fixture.path('src'))).toEqual(['mine']);
  });

  it.each([
    ['a branch that is not there', 'nothing', 'ref was not found in the repository.'],
    ['a commit that is not there', 'deadbeef', 'ref was not found in the repository.'],
    ['an option', '--upload-pack=touch pwned', 'ref must not begin with "-".'],
  ])('leaves no folder behind for %s', async (_, ref, error) => {
    expect(await failure('git.clone', { repository: repo.bare, path: 'src', ref })).toMatchObject({
      status: 'failed',
      error,
    });
    expect(readdirSync(repo.fixture.path('src'))).toEqual([]);
  });

  it.each([
    ['an option', '--upload-pack=touch pwned', 'repository must not begin with "-".'],
    ['a transport that starts a program', 'ext::sh -c "touch pwned"', "transport 'ext' not allowed"],
    ['a protocol without protection', 'git://127.0.0.1/app.git', "transport 'git' not allowed"],
    ['a password in the URL', 'https://ada:hunter2@x.test/app.git', 'repository contains a password.'],
    ['a repository that is not there', 'nowhere.git', 'exit status 128'],
  ])('refuses %s', async (_, repository, error) => {
    const outcome = await failure('git.clone', { repository, path: 'src' });

    expect(outcome.status).toBe('failed');
    expect(outcome.error).toContain(error);
    expect(outcome.error).not.toContain('hunter2');
    expect(existsSync(repo.fixture.path('pwned'))).toBe(false);
  });
});

describe('git.checkout', () => {
  it('clones first, and then updates', async () => {
    const settings = { repository: repo.bare, path: 'src', ref: 'main' };
    await call('git.checkout', settings);
    expect(published(await call('git.checkout', settings))).toMatchObject({ changed: false });
    const commit = pushFile('b.txt', 'three');

    expect(published(await call('git.checkout', settings))).toEqual({ commit, branch: 'main', changed: true });
    expect(read('src/b.txt')).toBe('three');
  });

  it('continues an interrupted clone', async () => {
    git('.', 'init', '--quiet', repo.fixture.path('src'));

    await call('git.checkout', { repository: repo.bare, path: 'src' });
    expect(read('src/a.txt')).toBe('two');
  });

  it('keeps changes, and discards them with force', async () => {
    const settings = { repository: repo.bare, path: 'src' };
    await call('git.checkout', settings);
    writeFileSync(repo.fixture.path('src/a.txt'), 'mine');
    pushFile('a.txt', 'three');

    expect((await failure('git.checkout', settings)).error).toContain('would be overwritten by merge');
    expect(read('src/a.txt')).toBe('mine');
    await call('git.checkout', { ...settings, force: true });
    expect(read('src/a.txt')).toBe('three');
  });

  it('fetches the rest of a clone with depth 0', async () => {
    const settings = { repository: `file://${repo.bare}`, path: 'src' };
    await call('git.checkout', { ...settings, depth: 1 });
    await call('git.checkout', { ...settings, depth: 0 });

    expect(git(repo.fixture.path('src'), 'rev-list', '--count', 'HEAD')).toBe('2');
  });

  it('refuses a folder with other files, and a clone of another repository', async () => {
    mkdirSync(repo.fixture.path('files'));
    writeFileSync(repo.fixture.path('files/mine'), 'x');
    git('.', 'clone', '--quiet', repo.bare, repo.fixture.path('other'));

    expect((await failure('git.checkout', { repository: repo.bare, path: 'files' })).error).toBe(
      'path contains files and is no clone.',
    );
    expect((await failure('git.checkout', { repository: repo.fixture.folder, path: 'other' })).error).toBe(
      'path is a clone of another repository.',
    );
  });
});

describe('git.worktree', () => {
  it('adds, lists and removes a working tree with its branch', async () => {
    const commit = git(repo.work, 'rev-parse', 'HEAD');
    const added = await call('git.worktree.add', {
      repository: repo.work,
      path: 'fix',
      branch: 'fix/1',
      create_branch: true,
    });
    expect(published(added)).toEqual({
      path: repo.fixture.path('fix'),
      branch: 'fix/1',
      commit,
      worktree_created: true,
      branch_created: true,
    });
    expect(read('fix/a.txt')).toBe('two');

    const listed = await call('git.worktree.list', { repository: repo.work, output_format: 'json' });
    expect(JSON.parse(listed.stdout)).toEqual([
      expect.objectContaining({ path: repo.work }),
      { path: repo.fixture.path('fix'), commit, branch: 'fix/1' },
    ]);

    await call('git.worktree.remove', { repository: repo.work, branch: 'fix/1', delete_branch: true });
    expect(existsSync(repo.fixture.path('fix'))).toBe(false);
    expect(git(repo.work, 'branch', '--list', 'fix/1')).toBe('');
  });

  it('takes the branch from the path, and the path from the branch', async () => {
    expect(published(await call('git.worktree.add', { repository: repo.work, path: 'next' }))).toMatchObject({
      branch: 'next',
    });
    git(repo.work, 'branch', 'team/b');
    expect(published(await call('git.worktree.add', { repository: repo.work, branch: 'team/b' }))).toMatchObject({
      path: repo.fixture.path('work.worktrees/team/b'),
    });
  });

  it.each([
    ['without path and branch', {}],
    ['with a path that can name no branch', { path: 'my tree~1' }],
  ])('names the branch after the run and the place of the step %s', async (_, settings) => {
    const add = (stdoutFile: string) =>
      repo.fixture.run(
        'git.worktree.add',
        { repository: repo.work, ...settings },
        { stdoutFile, env: { WEIR_RUN_ID: 'r1', WEIR_RUN_LOG_FILE: repo.fixture.path('logs/run.log') } },
      );
    const first = published(await add(repo.fixture.path('logs/loop/0001-add.out')));
    expect(first).toMatchObject({ branch: 'run-r1/loop/0001-add', branch_created: true });
    const again = published(await add(repo.fixture.path('logs/loop/0001-add.out')));
    expect(again).toMatchObject({ path: first.path, branch: first.branch, worktree_created: false });
  });

  it('starts relative paths in the root of the repository that holds the working folder', async () => {
    git('.', 'init', '--quiet', '--initial-branch=main', repo.fixture.folder);
    git('.', 'commit', '--quiet', '--allow-empty', '-m', 'first');
    const inside = { cwd: repo.fixture.path('services/api') };
    const settings = { branch: 'fix', create_branch: true, path: 'trees/fix' };
    const added = await repo.fixture.run('git.worktree.add', settings, inside);
    expect(published(added)).toMatchObject({ path: repo.fixture.path('trees/fix') });
    const removed = await repo.fixture.run('git.worktree.remove', { path: 'trees/fix' }, inside);
    expect(published(removed)).toMatchObject({ worktree_removed: true });
  });

  it.each([
    ['a branch before one of origin', ['branch', 'update-ref refs/remotes/origin/'], 'branch'],
    ['a branch before a tag', ['branch', 'tag'], 'branch'],
    ['a branch of origin before a tag', ['update-ref refs/remotes/origin/', 'tag'], 'update-ref refs/remotes/origin/'],
  ])('takes as the start of a branch %s', async (_, kinds, chosen) => {
    for (const kind of kinds) {
      const [command = '', prefix = ''] = kind.split(' ');
      git(repo.work, command, `${prefix}start`, kind === chosen ? 'v1' : 'HEAD');
    }
    const settings = { repository: repo.work, path: 'fix', branch: 'fix', create_branch: true, base: 'start' };
    expect(published(await call('git.worktree.add', settings))).toMatchObject({
      commit: git(repo.work, 'rev-parse', 'v1'),
    });
  });

  it('reports that a folder is not a repository', async () => {
    expect((await failure('git.worktree.add', { repository: '.' })).error).toContain('not a git repository');
  });

  it('removes changes only with force, and never the main working tree', async () => {
    await call('git.worktree.add', { repository: repo.work, path: 'fix' });
    writeFileSync(repo.fixture.path('fix/new'), 'x');

    expect((await failure('git.worktree.remove', { repository: repo.work, path: 'fix' })).status).toBe('failed');
    await call('git.worktree.remove', { repository: repo.work, path: 'fix', force: true, force_delete_branch: true });
    expect((await failure('git.worktree.remove', { repository: repo.work, path: repo.work })).error).toBe(
      'This is the main working tree, which cannot be removed.',
    );
  });

  it('finds a working tree that is there, and removes one that is gone or was never there', async () => {
    const settings = { repository: repo.work, path: 'fix', branch: 'fix/1', create_branch: true };
    await call('git.worktree.add', settings);
    writeFileSync(repo.fixture.path('fix/new'), 'x');
    expect(published(await call('git.worktree.add', settings))).toMatchObject({
      worktree_created: false,
      branch_created: false,
    });
    expect(read('fix/new')).toBe('x');

    execFileSync('rm', ['-r', repo.fixture.path('fix')]);
    expect((await failure('git.worktree.add', settings)).error).toContain('is gone');
    const removed = { repository: repo.work, path: 'fix', branch: 'fix/1', delete_branch: true };
    expect(published(await call('git.worktree.remove', removed))).toMatchObject({
      worktree_removed: true,
      branch_deleted: true,
    });
    expect(published(await call('git.worktree.remove', removed))).toEqual({
      path: repo.fixture.path('fix'),
      branch: 'fix/1',
      worktree_removed: false,
      branch_deleted: false,
    });
  });

  it('checks everything before it removes a working tree or makes a branch', async () => {
    await call('git.worktree.add', { repository: repo.work, path: 'fix' });
    git(
      repo.fixture.path('fix'),
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@x.test',
      'commit',
      '--allow-empty',
      '-qm',
      'x',
    );

    const remove = { repository: repo.work, branch: 'fix', delete_branch: true };
    expect((await failure('git.worktree.remove', remove)).error).toContain('is not merged into HEAD');
    expect((await failure('git.worktree.remove', { ...remove, path: 'other' })).error).toContain('is not at');
    expect(existsSync(repo.fixture.path('fix'))).toBe(true);
    expect((await failure('git.worktree.add', { repository: repo.work, path: 'two', branch: 'fix' })).error).toContain(
      'has its working tree at',
    );
    expect((await failure('git.worktree.add', { repository: repo.work, branch: 'main' })).error).toContain(
      'main working',
    );
    expect((await failure('git.worktree.add', { repository: repo.work, branch: 'none' })).error).toContain('no branch');
    writeFileSync(repo.fixture.path('taken'), 'x');
    expect((await failure('git.worktree.add', { repository: repo.work, path: 'taken' })).error).toContain(
      'not an empty',
    );
    expect(git(repo.work, 'branch', '--list', 'taken', 'none')).toBe('');
  });

  it('forgets a working tree whose folder is gone', async () => {
    await call('git.worktree.add', { repository: repo.work, path: 'gone' });
    execFileSync('rm', ['-r', repo.fixture.path('gone')]);

    await call('git.worktree.prune', { repository: repo.work, dry_run: true });
    expect(git(repo.work, 'worktree', 'list')).toContain('gone');
    await call('git.worktree.prune', { repository: repo.work });
    expect(git(repo.work, 'worktree', 'list')).not.toContain('gone');
  });
});

describe('git.commit, git.diff and git.push', () => {
  const author = { author_name: 'Ada', author_email: 'ada@x.test' };

  it('commits changes and pushes them', async () => {
    writeFileSync(join(repo.work, 'a.txt'), 'three');
    writeFileSync(join(repo.work, '-n'), 'new');
    const committed = await call('git.commit', { path: 'work', message: '# not a comment\n\n$HOME', ...author });

    expect(published(committed)).toMatchObject({ committed: true, files: 2 });
    expect(git(repo.work, 'log', '-1', '--format=%an <%ae> %B')).toBe('Ada <ada@x.test> # not a comment\n\n$HOME');
    const pushed = await call('git.push', { path: 'work', branch: 'main', destination: 'release/1' });
    expect(published(pushed)).toEqual({ branch: 'main', commit: git(repo.work, 'rev-parse', 'HEAD') });
    expect(git(repo.bare, 'rev-parse', 'release/1')).toBe(git(repo.work, 'rev-parse', 'HEAD'));
  });

  it('commits only the given files, and nothing when nothing has changed', async () => {
    writeFileSync(join(repo.work, 'b*'), 'b');
    writeFileSync(join(repo.work, 'bc'), 'c');
    await call('git.commit', { path: 'work', message: 'one', files: 'b*', ...author });

    expect(git(repo.work, 'show', '--name-only', '--format=')).toBe('b*');
    git(repo.work, 'clean', '--force', '--quiet');
    expect(published(await call('git.commit', { path: 'work', message: 'none', ...author }))).toMatchObject({
      committed: false,
      commit: git(repo.work, 'rev-parse', 'HEAD'),
    });
  });

  it('compares the working tree and commits', async () => {
    writeFileSync(join(repo.work, 'a.txt'), 'three');
    const ran = await call('git.diff', { path: 'work', output_format: 'names' });
    expect(ran.stdout).toBe('a.txt\n');
    expect(published(ran)).toEqual({ changed: true, files: 1 });
    expect((await call('git.diff', { path: 'work' })).stdout).toContain('\n+three');
    const between = await call('git.diff', { path: 'work', base: 'v1', ref: 'main', output_format: 'json' });
    expect(JSON.parse(between.stdout)).toEqual([{ path: 'a.txt', added: 1, removed: 1, binary: false }]);
    expect(published(await call('git.diff', { path: 'work', staged: true }))).toEqual({ changed: false, files: 0 });
  });

  it('with force, replaces only commits that it has fetched', async () => {
    git('.', 'clone', '--quiet', repo.bare, repo.fixture.path('other'));
    pushFile('b.txt', 'newer');
    const other = repo.fixture.path('other');
    writeFileSync(join(other, 'c.txt'), 'c');
    await call('git.commit', { path: 'other', message: 'c', ...author });

    expect((await failure('git.push', { path: 'other' })).status).toBe('failed');
    expect((await failure('git.push', { path: 'other', force: true })).status).toBe('failed');
    git(other, 'fetch', '--quiet');
    await call('git.push', { path: 'other', force: true });
    expect(git(repo.bare, 'rev-parse', 'main')).toBe(git(other, 'rev-parse', 'HEAD'));
  });

  it.each([
    ['git.push', { remote: '--receive-pack=touch pwned' }, 'remote must not begin with "-".'],
    ['git.push', { remote: 'nobody' }, 'remote is none of the repository.'],
    ['git.push', { branch: 'main:other' }, 'branch is not a valid name of a branch.'],
    ['git.diff', { base: '--output=pwned' }, 'base was not found in the repository.'],
  ] as const)('%s refuses %j', async (action, settings, error) => {
    expect(await failure(action, { path: 'work', ...settings })).toMatchObject({ status: 'failed', error });
    expect(existsSync(repo.fixture.path('pwned'))).toBe(false);
  });
});
