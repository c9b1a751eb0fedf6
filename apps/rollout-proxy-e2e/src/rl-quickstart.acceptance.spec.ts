import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describeUnless, spawnProcess, temporaryFolder } from '@weir/test-kit';

const repository = path.resolve(__dirname, '../../..');
const example = path.join(repository, 'examples/rl-quickstart');
const program = path.join(repository, 'apps/rollout-proxy/dist/main.js');
const limitMs = 900_000;

interface Step {
  readonly reward: number;
  readonly kl: number;
  readonly logprob_difference: number;
  readonly tokens: Readonly<Record<string, number>>;
}

/** The environment that the example makes for itself: the wheel of the package for Python, JAX and the official client. */
function findPython(): { readonly python: string; readonly missing?: string } {
  const check = spawnSync('python3', ['-c', 'import sys, ensurepip; assert sys.version_info >= (3, 11)']);
  if (check.status !== 0) return { python: '', missing: 'python3 of at least 3.11 with venv is not installed' };
  const args = [path.join(example, 'run.py'), '--set-up-only'];
  const { status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8', timeout: limitMs });
  if (status === 0) return { python: stdout.trim().split('\n').at(-1) ?? '' };
  return {
    python: '',
    missing: stderr.split('\n').find((line) => /error/i.test(line)) ?? 'the installation timed out',
  };
}

const { python, missing } = findPython();
const mean = (steps: readonly Step[], value: (step: Step) => number): number =>
  steps.reduce((sum, step) => sum + value(step), 0) / steps.length;

describeUnless(missing, 'the example that trains a tiny model was not run')(
  'the example that trains a tiny model',
  () => {
    it(
      'raises its reward in 8 steps, outside the repository, with log-probabilities equal to those of the engine',
      async () => {
        const folder = temporaryFolder('weir-quickstart-');
        cpSync(example, folder.file('example'), { recursive: true });
        const trainer = await spawnProcess({
          command: python,
          args: [
            'example/train.py',
            '--steps',
            '8',
            '--least-reward',
            '0.4',
            '--output',
            'curve',
            '--program',
            program,
          ],
          cwd: folder.path,
          env: { WEIR_NODE: process.execPath, HOME: folder.path },
          deadlineMs: limitMs,
        });
        const { code } = await trainer.exited;
        if (code !== 0) throw new Error(`The example ended with ${code}:\n${trainer.stdout()}${trainer.stderr()}`);

        const steps = JSON.parse(readFileSync(folder.file('curve', 'steps.json'), 'utf8')) as readonly Step[];
        expect(steps).toHaveLength(8);
        expect(mean(steps.slice(-2), ({ reward }) => reward)).toBeGreaterThan(
          mean(steps.slice(0, 2), ({ reward }) => reward) + 0.2,
        );
        expect(Math.max(...steps.map((step) => step.logprob_difference))).toBeLessThanOrEqual(1e-4);
        expect(mean(steps.slice(-2), ({ kl }) => kl)).toBeGreaterThan(0.05);
        // No interaction is in two steps.
        const trained = steps.flatMap(({ tokens }) => Object.keys(tokens));
        expect(new Set(trained).size).toBe(trained.length);
        expect(readFileSync(folder.file('curve', 'curve.svg'), 'utf8')).toContain('KL to the start');
        await folder.remove();
      },
      limitMs,
    );
  },
);
