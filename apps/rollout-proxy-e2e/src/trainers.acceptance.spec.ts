import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describeUnless, spawnProcess } from '@weir/test-kit';

const repository = path.resolve(__dirname, '../../..');
const project = path.join(repository, 'python/weir-rollout');
const limitMs = 300_000;

function findPython(): { readonly python?: string; readonly missing?: string } {
  const script = path.join(repository, 'tools/setup/python-environment.mjs');
  const args = [script, 'trainers', '--if-installed'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return JSON.parse(stdout) as { readonly python?: string; readonly missing?: string };
}

const { python = '', missing } = findPython();

describeUnless(missing, 'the adapters were not compared with published trainers')('an adapter for a trainer', () => {
  it(
    'hands over what the published sources of TRL, verl and AReaL take',
    async () => {
      const child = await spawnProcess({
        command: python,
        args: ['-m', 'pytest', 'tests/trainers/published.py'],
        cwd: project,
        env: { WEIR_NODE: process.execPath, PYTHONPYCACHEPREFIX: path.join(repository, '.runtime/python-cache') },
        deadlineMs: limitMs,
      });
      const { code } = await child.exited;
      if (code !== 0) throw new Error(`The tests ended with ${code}:\n${child.stdout()}${child.stderr()}`);

      expect(child.stdout()).toMatch(/^\d+ passed in /m);
    },
    limitMs,
  );
});
