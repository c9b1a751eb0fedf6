import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import { actionFixture, type ActionFixture, type Ran } from '../../testing/action-fixture';

const people = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@x.test', GIT_COMMITTER_NAME: 'Ada' };

/** A bare repository and a working tree of it for each case, with two commits of `a.txt` of which the first is `v1`. */
export function useRepository() {
  let fixture: ActionFixture;
  const bare = (): string => fixture.path('repositories/app.git');
  const work = (): string => fixture.path('work');

  const git = (folder: string, ...args: readonly string[]): string => {
    const env = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: fixture.folder,
      ...people,
      GIT_COMMITTER_EMAIL: 'ada@x.test',
      GIT_CONFIG_GLOBAL: '/dev/null',
    };
    const cwd = folder === '.' ? fixture.folder : folder;
    return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe', timeout: 60_000 }).trim();
  };

  const commitFile = (name: string, text: string): void => {
    writeFileSync(join(work(), name), text);
    git(work(), 'add', '--', name);
    git(work(), 'commit', '--quiet', '-m', `${name}: ${text}`);
  };

  beforeEach(async () => {
    fixture = await actionFixture();
    git('.', 'init', '--quiet', '--bare', '--initial-branch=main', bare());
    git('.', 'clone', '--quiet', bare(), work());
    commitFile('a.txt', 'one');
    git(work(), 'tag', 'v1');
    commitFile('a.txt', 'two');
    git(work(), 'push', '--quiet', '--tags', 'origin', 'HEAD:main');
  });
  afterEach(() => fixture.remove());

  return {
    get fixture(): ActionFixture {
      return fixture;
    },
    get bare(): string {
      return bare();
    },
    get work(): string {
      return work();
    },
    git,
    commitFile,

    /** Returns the commit. */
    pushFile: (name: string, text: string, branch = 'main'): string => {
      commitFile(name, text);
      git(work(), 'push', '--quiet', 'origin', `HEAD:${branch}`);
      return git(work(), 'rev-parse', 'HEAD');
    },

    call: async (action: ExecutableActionName, settings: JsonObject): Promise<Ran> => {
      const ran = await fixture.run(action, settings);
      if (ran.outcome.status !== 'succeeded') throw new Error(`${ran.outcome.error ?? ''} ${ran.stderr}`);
      return ran;
    },

    failure: async (action: ExecutableActionName, settings: JsonObject) =>
      (await fixture.run(action, settings)).outcome,

    read: (name: string): string => readFileSync(fixture.path(name), 'utf8'),
  };
}

export function published({ outcome }: Ran): Record<string, unknown> {
  return Object.fromEntries((outcome.outputs?.declared ?? []).map(({ name, value }) => [name, value]));
}
