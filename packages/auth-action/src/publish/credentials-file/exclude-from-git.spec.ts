import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { excludeFromGit } from './exclude-from-git';

const name = 'gha-creds-0123456789abcdef.json';

describe('excludeFromGit', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const git = (tree: string, ...args: readonly string[]): string => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b.test', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', [...identity, ...args], {
      cwd: tree,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  const newTree = (...names: string[]): string => {
    const tree = folder.file(...names);
    mkdirSync(tree, { recursive: true });
    git(tree, 'init', '-q');
    git(tree, 'commit', '-q', '--allow-empty', '-m', 'first');
    return tree;
  };
  const expectHidden = (tree: string): void => {
    writeFileSync(path.join(tree, name), '{}');
    expect(git(tree, 'status', '--porcelain', '--', name)).toBe('');
  };
  const expectFailed = (tree: string): void => {
    const result = excludeFromGit(tree, name);
    expect(result).toMatchObject({ kind: 'failed', warning: expect.stringContaining(name) as string });
  };

  it('hides only this file from git', () => {
    const tree = newTree('tree');
    expect(excludeFromGit(tree, name)).toEqual({
      kind: 'excluded',
      path: path.join(tree, '.git/info/exclude'),
      line: `/${name}`,
      added: true,
    });
    expectHidden(tree);
    mkdirSync(path.join(tree, 'sub'));
    writeFileSync(path.join(tree, 'sub', name), '{}');
    expect(git(tree, 'status', '--porcelain')).toBe('?? sub/\n');
  });

  it('adds its line once', () => {
    const tree = newTree('tree');
    excludeFromGit(tree, name);
    expect(excludeFromGit(tree, name)).toMatchObject({ added: false });
    expect(readFileSync(path.join(tree, '.git/info/exclude'), 'utf8').split(name)).toHaveLength(2);
  });

  it('creates a missing exclude file', () => {
    const tree = newTree('tree');
    rmSync(path.join(tree, '.git/info'), { recursive: true });
    expect(excludeFromGit(tree, name)).toMatchObject({ added: true });
    expectHidden(tree);
  });

  it('starts a new line after an unterminated last line', () => {
    const tree = newTree('tree');
    writeFileSync(path.join(tree, '.git/info/exclude'), '*.log');
    excludeFromGit(tree, name);
    expect(readFileSync(path.join(tree, '.git/info/exclude'), 'utf8')).toBe(`*.log\n/${name}\n`);
  });

  it('hides the file in a worktree', () => {
    const tree = newTree('main');
    git(tree, 'worktree', 'add', '-q', '../other');
    expect(excludeFromGit(folder.file('other'), name)).toMatchObject({
      path: path.join(tree, '.git/info/exclude'),
      added: true,
    });
    expectHidden(folder.file('other'));
  });

  it('hides the file in a submodule', () => {
    newTree('library');
    const tree = newTree('main');
    git(tree, 'submodule', 'add', '-q', folder.file('library'), 'lib');
    expect(excludeFromGit(path.join(tree, 'lib'), name)).toMatchObject({ added: true });
    expectHidden(path.join(tree, 'lib'));
  });

  it('hides the file in a folder of a tree with any name', () => {
    const tree = newTree('tree');
    const inner = path.join(tree, 'work [1]', String.raw`a*b?c\d`);
    mkdirSync(inner, { recursive: true });
    expect(excludeFromGit(inner, name)).toEqual({
      kind: 'excluded',
      path: path.join(tree, '.git/info/exclude'),
      line: String.raw`/work \[1\]/a\*b\?c\\d/${name}`,
      added: true,
    });
    expectHidden(inner);
    writeFileSync(path.join(tree, name), '{}');
    expect(git(tree, 'status', '--porcelain')).toBe(`?? ${name}\n`);
  });

  it('uses the innermost of several trees', () => {
    newTree('outer');
    const inner = newTree('outer', 'inner');
    expect(excludeFromGit(inner, name)).toMatchObject({ path: path.join(inner, '.git/info/exclude') });
  });

  it('warns if a line cannot contain the name of the folder', () => {
    const inner = path.join(newTree('tree'), 'a\nb');
    mkdirSync(inner);
    expectFailed(inner);
  });

  it('ignores a folder outside any work tree, even with a work tree below it', () => {
    newTree('checkout');
    expect(excludeFromGit(folder.path, name)).toEqual({ kind: 'no_work_tree' });
  });

  it('follows no symbolic link in the place of .git', () => {
    const tree = newTree('tree');
    mkdirSync(folder.file('work'));
    symlinkSync(path.join(tree, '.git'), folder.file('work', '.git'));
    expectFailed(folder.file('work'));
  });

  it('follows no symbolic link in the place of the exclude file or its folder', () => {
    const tree = newTree('tree');
    writeFileSync(folder.file('elsewhere'), 'mine');
    rmSync(path.join(tree, '.git/info/exclude'));
    symlinkSync(folder.file('elsewhere'), path.join(tree, '.git/info/exclude'));
    expectFailed(tree);
    rmSync(path.join(tree, '.git/info'), { recursive: true });
    symlinkSync(folder.path, path.join(tree, '.git/info'));
    expectFailed(tree);
    expect(readFileSync(folder.file('elsewhere'), 'utf8')).toBe('mine');
  });

  it('writes to no folder that git did not make', () => {
    mkdirSync(folder.file('other'));
    mkdirSync(folder.file('work'));
    writeFileSync(folder.file('work', '.git'), `gitdir: ${folder.file('other')}\n`);
    expectFailed(folder.file('work'));
    writeFileSync(folder.file('work', '.git'), 'nothing\n');
    expectFailed(folder.file('work'));
  });

  it('warns when the common folder of a worktree cannot be read', () => {
    mkdirSync(folder.file('other', 'commondir'), { recursive: true });
    writeFileSync(folder.file('.git'), 'gitdir: other\n');
    expectFailed(folder.path);
  });

  it('warns when the exclude file is implausibly large', () => {
    const tree = newTree('tree');
    writeFileSync(path.join(tree, '.git/info/exclude'), Buffer.alloc(1_048_577, 'a'));
    expectFailed(tree);
  });
});
