import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '@weir/test-kit';
import { setUpAdmin } from '../../support/people';
import { endOfRun } from '../../support/runs';
import { startWeir, type Weir } from '../../support/weir-server';

describe('working trees of a run whose server was killed', () => {
  let weir: Weir | undefined;
  afterEach(() => weir?.dispose());

  it.each([
    ['while git made one', { hook: true, end: 'failed' }],
    ['while the next step was under way', { hook: false, end: 'succeeded' }],
  ])(
    'are removed at its end: %s',
    async (_, { hook, end }) => {
      weir = await startWeir({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
      const repository = weir.home.file('repository');
      const tree = weir.home.file('tree');
      const hold = weir.home.file('hold');
      const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });
      mkdirSync(repository);
      git('init', '--quiet', '--initial-branch=main');
      git('-c', 'user.name=a', '-c', 'user.email=a@x.test', 'commit', '--quiet', '--allow-empty', '-m', 'first');
      const wait = `touch ${hold}; until [ -e ${hold}.open ]; do sleep 0.05; done`;
      if (hook) {
        const file = path.join(repository, '.git/hooks/post-checkout');
        writeFileSync(file, `#!/bin/sh\n${wait}\n`);
        chmodSync(file, 0o755);
      }
      const spec = `
type: chain
working_dir: ${repository}
steps:
  - action: git.worktree.add
    with: {branch: work, create_branch: true, path: ${tree}, cleanup: on_finish}
  - run: ${JSON.stringify(wait)}
    retry_policy: {limit: 3, interval_sec: 0}
`;
      const token = await setUpAdmin(weir);
      const client = weir.createClient(token);
      await client.createNewDag({ body: { name: 'own', spec } });
      const { dagRunId } = await client.executeDag({ params: { fileName: 'own' }, body: {} });
      await waitFor(() => existsSync(hold) || undefined, { deadlineMs: 60_000, what: 'the work to be under way' });
      await weir.process.stop({ signal: 'SIGKILL' });
      expect(git('worktree', 'list')).toContain(tree);
      writeFileSync(`${hold}.open`, '');
      weir = await weir.restart();

      expect(await endOfRun(weir, token, 'own', dagRunId)).toMatchObject({ statusLabel: end });
      expect(existsSync(tree)).toBe(false);
      expect(git('worktree', 'list')).not.toContain(tree);
      expect(git('branch', '--list', 'work')).toContain('work');
    },
    120_000,
  );
});
