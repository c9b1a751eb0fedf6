import { tmpdir } from 'node:os';
import { captureOutput, type CaptureOptions } from './capture-output';

const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
const capture = (text: string, options: Partial<CaptureOptions> = {}, shell: readonly string[] = ['sh']) =>
  captureOutput(
    { text, cwd: tmpdir(), env, shell, isStepShell: false },
    { signal: new AbortController().signal, deadlineMs: 10_000, maxBytes: 1_000_000, killGraceMs: 500, ...options },
  );

describe('captureOutput', () => {
  it('hands back what the command wrote, and what a child of it wrote last', async () => {
    expect(await capture('echo "a b"; (printf %0999d 7)')).toEqual({ stdout: `a b\n${'7'.padStart(999, '0')}` });
  });

  it.each([
    ['an exit code, with the end of stderr', 'echo why >&2; exit 3', {}, 'exit status 3: why'],
    ['too much output', 'yes', { maxBytes: 1_000 }, 'more than 1000 bytes of output'],
    ['the deadline', 'sleep 30', { deadlineMs: 100 }, 'not done after 0.1 seconds'],
    ['a stop', 'sleep 30', { signal: AbortSignal.abort() }, 'run stopped'],
  ] as const)('fails by %s', async (_, text, options, failure) => {
    expect(await capture(text, options)).toMatchObject({ failure });
  });

  it('fails by a shell that is not there', async () => {
    expect(await capture('true', {}, ['/nowhere/shell'])).toEqual({ failure: 'The shell of the step was not found.' });
  });

  it('does not wait for what the command left running', async () => {
    expect(await capture('sleep 30 & echo done')).toEqual({ stdout: 'done\n' });
  });
});
