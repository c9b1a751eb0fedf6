import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import { captureOutput, type CaptureOptions } from './capture-output';
import { isRunning } from './process-family';
import { readProcessStat } from './process-identity';

const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
const capture = (text: string, options: Partial<CaptureOptions> = {}, shell: readonly string[] = ['sh']) =>
  captureOutput(
    { text, cwd: tmpdir(), env, shell, isStepShell: false, enclosure: undefined },
    { signal: new AbortController().signal, deadlineMs: 10_000, maxBytes: 1_000_000, killGraceMs: 500, ...options },
  );

describe('captureOutput', () => {
  it('returns the output of the command, including the last output of a child', async () => {
    expect(await capture('echo "a b"; (printf %0999d 7)')).toEqual({ stdout: `a b\n${'7'.padStart(999, '0')}` });
  });

  it.each([
    ['an exit code, with the end of stderr', 'echo why >&2; exit 3', {}, 'exit status 3: why'],
    ['too much output', 'yes', { maxBytes: 1_000 }, 'more than 1000 bytes of output'],
    ['the deadline', 'sleep 30', { deadlineMs: 100 }, 'not done after 0.1 seconds'],
    ['a stop', 'sleep 30', { signal: AbortSignal.abort() }, 'run stopped'],
  ] as const)('fails on %s', async (_, text, options, failure) => {
    expect(await capture(text, options)).toMatchObject({ failure });
  });

  it('fails for a missing shell', async () => {
    expect(await capture('true', {}, ['/nowhere/shell'])).toEqual({ failure: 'The shell of the step was not found.' });
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('ends what left its group when it is stopped', async () => {
    const folder = temporaryFolder();
    const stray = folder.file('stray');
    try {
      const command = `setsid --fork sh -c 'echo $$ > ${stray}; exec sleep 300' > /dev/null 2>&1; sleep 300`;
      const stop = new AbortController();
      const captured = capture(command, { signal: stop.signal });
      await waitFor(() => readFileSync(stray, { encoding: 'utf8', flag: 'a+' }).endsWith('\n'), {
        what: 'the process',
      });
      stop.abort();

      expect(await captured).toEqual({ failure: 'run stopped' });
      const stat = readProcessStat(Number(readFileSync(stray, 'utf8')));
      expect(stat === undefined || !isRunning(stat)).toBe(true);
    } finally {
      await folder.remove();
    }
  });

  it('does not wait for processes that the command left running', async () => {
    expect(await capture('sleep 30 & echo done')).toEqual({ stdout: 'done\n' });
  });
});
