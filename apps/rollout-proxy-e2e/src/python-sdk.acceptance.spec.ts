import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describeUnless, spawnProcess } from '@weir/test-kit';

const repository = path.resolve(__dirname, '../../..');
const project = path.join(repository, 'python/weir-rollout');
const example = path.join(repository, 'examples/rl-quickstart');
const limitMs = 600_000;

function findPython(): { readonly python?: string; readonly missing?: string } {
  const script = path.join(repository, 'tools/setup/python-environment.mjs');
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], { encoding: 'utf8', timeout: limitMs });
  if (status !== 0) return { missing: stderr.trim() || 'the installation of the Python packages timed out' };
  return JSON.parse(stdout) as { readonly python?: string; readonly missing?: string };
}

const { python = '', missing } = findPython();

async function runModule(...args: readonly string[]): Promise<string> {
  const child = await spawnProcess({
    command: python,
    args: ['-m', ...args],
    cwd: project,
    env: { WEIR_NODE: process.execPath, PYTHONPYCACHEPREFIX: path.join(repository, '.runtime/python-cache') },
    deadlineMs: limitMs,
  });
  const { code } = await child.exited;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${child.stdout()}${child.stderr()}`);
  return child.stdout();
}

describeUnless(missing, 'the package for Python was not tested')('the package for Python', () => {
  it(
    'passes its tests against the built proxy',
    async () => {
      expect(await runModule('pytest')).toMatch(/^\d+ passed/m);
    },
    limitMs,
  );

  it(
    'is fully typed',
    async () => {
      expect(await runModule('mypy')).toContain('no issues found');
    },
    limitMs,
  );

  it('follows its style rules', async () => {
    expect(await runModule('ruff', 'check', '.', example)).toContain('All checks passed');
    expect(await runModule('ruff', 'format', '--check', '.', example)).toContain('already formatted');
  });
});
