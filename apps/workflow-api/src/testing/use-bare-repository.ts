import { execFileSync } from 'node:child_process';
import { temporaryFolder } from '@weir/test-kit';
import type { TestApi } from './test-api';
import { hostEnvironment } from './workflow-api';

/** Provides an empty repository on disk for the cases of a file. */
export function useBareRepository() {
  const folder = temporaryFolder();
  beforeAll(() => {
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder.path], { env: hostEnvironment });
  });
  afterAll(() => folder.remove());
  return {
    /** Lets a server synchronise with it. */
    connect: async ({ send }: Pick<TestApi, 'send'>, as: string, settings: object = {}): Promise<void> => {
      const body = { enabled: true, repository: folder.path, branch: 'main', ...settings };
      const answer = await send('PUT /sync/config', { as, body });
      if (answer.status !== 200) throw new Error(`The settings were answered ${JSON.stringify(answer)}.`);
    },
  };
}
