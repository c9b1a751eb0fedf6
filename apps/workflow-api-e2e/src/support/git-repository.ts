import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';

/** A bare repository on disk and a working tree of somebody else. */
export interface GitRepository {
  readonly bare: string;
  /** The folder of all repositories. */
  readonly root: string;
  /** Commits and pushes files, those with `undefined` removed; returns the commit. */
  readonly push: (files: Readonly<Record<string, string | Uint8Array | undefined>>, message?: string) => string;
  /** What a file of the branch holds. */
  readonly read: (file: string, branch?: string) => string;
  readonly has: (file: string) => boolean;
  /** Runs git in the bare repository. */
  readonly git: (...args: readonly string[]) => string;
  /** Runs git in the working tree. */
  readonly work: (...args: readonly string[]) => string;
  readonly workFile: (name: string) => string;
  readonly remove: () => Promise<void>;
}

export function createGitRepository(): GitRepository {
  const folder = temporaryFolder();
  const [bare, tree] = [folder.file('repositories', 'dags.git'), folder.file('work')];
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: folder.path,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Grace',
    GIT_AUTHOR_EMAIL: 'grace@x.test',
    GIT_COMMITTER_NAME: 'Grace',
    GIT_COMMITTER_EMAIL: 'grace@x.test',
  };
  const run = (cwd: string, args: readonly string[]): string =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe', timeout: 60_000, maxBuffer: 1e8 }).trim();
  const git = (...args: readonly string[]) => run(bare, args);
  const work = (...args: readonly string[]) => run(tree, args);
  mkdirSync(bare, { recursive: true });
  run(bare, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
  run(bare, ['config', 'http.receivepack', 'true']);
  run(folder.path, ['clone', '--quiet', bare, tree]);
  return {
    bare,
    git,
    work,
    root: path.dirname(bare),
    workFile: (name) => path.join(tree, name),
    push: (files, message = 'change') => {
      work('fetch', '--quiet', 'origin');
      if (git('branch', '--list', 'main') !== '') work('reset', '--quiet', '--hard', 'origin/main');
      for (const [name, text] of Object.entries(files)) {
        const file = path.join(tree, name);
        mkdirSync(path.dirname(file), { recursive: true });
        if (text === undefined) rmSync(file);
        else writeFileSync(file, text);
      }
      work('add', '--all');
      work('commit', '--quiet', '-m', message);
      work('push', '--quiet', 'origin', 'HEAD:main');
      return work('rev-parse', 'HEAD');
    },
    read: (file, branch = 'main') => git('show', `${branch}:${file}`),
    has: (file) => git('ls-tree', '-r', '--name-only', 'main').split('\n').includes(file),
    remove: () => folder.remove(),
  };
}
