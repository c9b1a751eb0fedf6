import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';

const root = path.resolve(__dirname, '../../..');

/** A repository with the files that are exported, in a temporary folder. */
export interface SourceRepository {
  readonly folder: string;
  /** An empty bare repository to publish into. */
  readonly remote: string;
  readonly file: (...names: readonly string[]) => string;
  readonly write: (name: string, text: string) => void;
  readonly git: (...args: readonly string[]) => string;
  /** Commits everything and returns the id. */
  readonly commit: () => string;
  /** Environment in which Git neither reads nor writes the settings of the machine. */
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => Promise<void>;
}

/** Git settings for a spec. */
function gitEnvironment(home: string): Record<string, string> {
  const identity = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Spec'],
    [`GIT_${who}_EMAIL`, 'spec@example.com'],
  ]);
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    ...(Object.fromEntries(identity) as Record<string, string>),
  };
}

function createRepository(): SourceRepository {
  const home = temporaryFolder('weir-publish-');
  const folder = home.file('source');
  const remote = home.file('remote.git');
  mkdirSync(folder);
  const env = gitEnvironment(home.path);
  const git = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  git('init', '--quiet', '--initial-branch=main');
  git('init', '--quiet', '--bare', '--initial-branch=main', remote);
  return {
    folder,
    remote,
    file: home.file,
    write: (name, text) => {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    },
    git,
    commit: () => {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', 'change');
      return git('rev-parse', 'HEAD');
    },
    env,
    remove: home.remove,
  };
}

/** The files of this checkout, as they are now. */
export function copyOfThisRepository(): SourceRepository {
  const repository = createRepository();
  const files = ['LICENSE', 'CHANGELOG.md', 'docs/auth-action', 'packages/auth-action/dist'];
  const own = ['README.md', 'action.yml', 'package.json'].map((name) => `packages/auth-action/${name}`);
  for (const name of [...files, ...own]) {
    cpSync(path.join(root, name), path.join(repository.folder, name), { recursive: true });
  }
  repository.commit();
  return repository;
}

/** A small action with a bundle that is built from its sources. */
export function smallRepository(version: string): SourceRepository {
  const repository = createRepository();
  repository.write('LICENSE', 'Apache-2.0\n');
  repository.write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- auth-action: is new.\n');
  repository.write('docs/auth-action/security.md', '# Security\n');
  repository.write('packages/auth-action/README.md', '# An action\n');
  repository.write(
    'packages/auth-action/action.yml',
    "name: 'An action'\nruns: { using: node24, main: dist/main.js }\n",
  );
  repository.write('packages/auth-action/src/main.ts', "process.stdout.write('main');\n");
  repository.write('packages/auth-action/src/post.ts', "process.stdout.write('post');\n");
  setVersion(repository, version);
  repository.commit();
  return repository;
}

/** Changes the version and rebuilds the bundle. */
export function setVersion(repository: SourceRepository, version: string): void {
  const manifest = { name: 'an-action', version, license: 'Apache-2.0' };
  repository.write('packages/auth-action/package.json', JSON.stringify(manifest));
  const bundler = path.join(root, 'tools/scripts/bundle-action.mjs');
  const cwd = path.join(repository.folder, 'packages/auth-action');
  const { status, stderr } = spawnSync(process.execPath, [bundler], { cwd, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(stderr);
}
