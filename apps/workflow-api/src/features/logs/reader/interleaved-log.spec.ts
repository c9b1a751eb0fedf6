import { appendFile, truncate } from 'node:fs/promises';
import { createManualClock, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { logTimesFile, openLogTimes } from '@weir/workflow-engine';
import { createLogIndexes } from './log-indexes';
import { localRunFiles } from '../../../run-files';
import { openLogView } from './log-view';
import { readLines, type LinesRange } from './read-lines';

let folder: TemporaryFolder;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

function aStep() {
  const clock = createManualClock('2026-11-22T09:00:00Z');
  const stdoutFile = folder.file('0000-a.out');
  const stderrFile = folder.file('0000-a.err');
  const timesFile = logTimesFile(stdoutFile);
  const indexes = createLogIndexes();
  return {
    stdoutFile,
    openTimes: () => openLogTimes({ stdoutFile, stderrFile }, clock),
    print: async (out: string, err: string) => {
      await appendFile(stdoutFile, out);
      await appendFile(stderrFile, err);
      clock.advance(1000);
    },
    read: async (isEnded: boolean, range: LinesRange = {}) => {
      const view = await openLogView(localRunFiles, { kind: 'both', stdoutFile, stderrFile, timesFile, isEnded });
      const { lines } = await indexes.withIndex(view, (index) => readLines(view, index, range));
      await view.close();
      return lines.map(({ stream, text, time }) => `${stream} ${text} ${time?.toISOString().slice(17, 19) ?? '-'}`);
    },
  };
}

describe('both streams of a step as one log', () => {
  it('groups the output of one moment, with the standard output first', async () => {
    const { openTimes, print, read } = aStep();
    const times = openTimes();
    await print('1\n2\nincom', 'first\n');
    times.observe();
    await print('plete\n', '');
    times.observe();
    await print('', 'second\nrest');
    times.close();

    const expected = [
      'stdout 1 01',
      'stdout 2 01',
      'stderr first 01',
      'stdout incomplete 02',
      'stderr second 03',
      'stderr rest 03',
    ];
    await expect(read(true)).resolves.toEqual(expected);
    await expect(read(true, { line: 4, limit: 2 })).resolves.toEqual(expected.slice(3, 5));
    await expect(read(true, { tail: 1 })).resolves.toEqual(expected.slice(-1));
  });

  it('keeps its order while the step is running', async () => {
    const { openTimes, print, read } = aStep();
    const times = openTimes();
    await print('1\n', 'a\n');
    times.observe();
    await print('2\n', 'b\n');

    await expect(read(false)).resolves.toEqual(['stdout 1 01', 'stderr a 01']);
    times.observe();
    await expect(read(false)).resolves.toEqual(['stdout 1 01', 'stderr a 01', 'stdout 2 02', 'stderr b 02']);
  });

  it('ends with output without a moment', async () => {
    const { openTimes, print, read } = aStep();
    const times = openTimes();
    await print('1\n', '');
    times.observe();
    await print('2\n', 'b\n');

    await expect(read(true)).resolves.toEqual(['stdout 1 01', 'stdout 2 -', 'stderr b -']);
    times.observe();
    await print('3\n', '');
    times.close();
    await expect(read(true)).resolves.toEqual(['stdout 1 01', 'stdout 2 02', 'stderr b 02', 'stdout 3 03']);
  });

  it('has the rest of a cut log', async () => {
    const { openTimes, print, read, stdoutFile } = aStep();
    const times = openTimes();
    await print('1\n2\n3\n', 'a\n');
    times.close();
    await truncate(stdoutFile, 2);

    await expect(read(true)).resolves.toEqual(['stdout 1 01', 'stderr a 01']);
  });
});
