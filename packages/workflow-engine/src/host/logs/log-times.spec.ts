import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { createManualClock, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { beginAttempt, logTimesFile, openLogTimes, parseLogMoments } from './log-times';

let folder: TemporaryFolder;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const startMs = Date.parse('2026-11-22T09:00:00Z');

function openSet(isMerged = false) {
  const clock = createManualClock('2026-11-22T09:00:00Z');
  const stdoutFile = folder.file(isMerged ? '0000-a.log' : '0000-a.out');
  const stderrFile = isMerged ? stdoutFile : folder.file('0000-a.err');
  return {
    clock,
    open: () => openLogTimes({ stdoutFile, stderrFile }, clock),
    out: (text: string) => appendFileSync(stdoutFile, text),
    err: (text: string) => appendFileSync(stderrFile, text),
    stdoutFile,
    stderrFile,
    moments: () =>
      parseLogMoments(readFileSync(logTimesFile(stdoutFile))).map(({ timeMs, stdoutBytes, stderrBytes }) => [
        timeMs - startMs,
        stdoutBytes,
        stderrBytes,
      ]),
  };
}

describe('openLogTimes', () => {
  it('records the positions of both streams, of whole lines only until the end', () => {
    const { clock, open, out, err, moments } = openSet();
    const times = open();
    out('one\ntw');
    clock.advance(250);
    times.observe();
    err('oops\n');
    clock.advance(250);
    times.observe();
    times.observe();
    out('o\nlast');
    clock.advance(10);
    times.close();

    expect(moments()).toEqual([
      [250, 4, 0],
      [500, 4, 5],
      [510, 12, 5],
    ]);
  });

  it('writes nothing for a step that prints nothing', () => {
    const { open, stdoutFile } = openSet();
    open().close();

    expect(() => readFileSync(logTimesFile(stdoutFile))).toThrow(/ENOENT/);
  });

  it('continues the record of an earlier attempt', () => {
    const { clock, open, out, moments } = openSet();
    out('first\n');
    open().close();
    const times = open();
    clock.advance(1000);
    times.observe();
    out('second\n');
    times.close();

    expect(moments()).toEqual([
      [0, 6, 0],
      [1000, 13, 0],
    ]);
  });

  it('separates the streams at the same moment', () => {
    const { open, out, err, moments } = openSet();
    const times = open();
    out('1\n');
    times.separate();
    err('2\n');
    times.separate();
    out('3\n');
    times.close();

    expect(moments()).toEqual([
      [0, 2, 0],
      [0, 2, 2],
      [0, 4, 2],
    ]);
  });

  it('counts one log for both streams once', () => {
    const { open, out, err, moments } = openSet(true);
    out('1\n');
    err('2\n');
    open().close();

    expect(moments()).toEqual([[0, 4, 0]]);
  });

  it('records less often the longer a step writes', () => {
    const { clock, open, out, moments } = openSet();
    const times = open();
    times.observe();
    clock.advance(30 * 24 * 3_600_000);
    for (let index = 0; index < 1000; index += 1) {
      clock.advance(250);
      out('x\n');
      times.observe();
    }

    expect(moments().length).toBeLessThan(5);
  });
});

describe('beginAttempt', () => {
  const begin = (isMerged = false) => {
    const step = openSet(isMerged);
    const { clock, open, out, stdoutFile, stderrFile } = step;
    return {
      ...step,
      attempt: (number: number, text: string) => {
        beginAttempt({ stdoutFile, stderrFile }, number, clock);
        const times = open();
        clock.advance(1000);
        out(text);
        times.close();
      },
      starts: () =>
        parseLogMoments(readFileSync(logTimesFile(stdoutFile)))
          .filter(({ startsAttempt }) => startsAttempt === true)
          .map(({ timeMs, stdoutBytes, stderrBytes }) => [timeMs - startMs, stdoutBytes, stderrBytes]),
    };
  };

  it.each([
    ['both streams', false],
    ['one log for both', true],
  ])('records where the later attempts begin, each on a line of its own, with %s', (_name, isMerged) => {
    const { attempt, starts, stdoutFile } = begin(isMerged);
    attempt(1, 'one\n');
    attempt(2, 'two');
    attempt(1, 'three\n');

    expect(readFileSync(stdoutFile, 'utf8')).toBe('one\ntwo\nthree\n');
    expect(starts()).toEqual([
      [1000, 4, 0],
      [2000, 8, 0],
    ]);
  });

  it('counts the attempts that printed nothing', () => {
    const { attempt, starts, out } = begin();
    attempt(1, '');
    attempt(2, '');
    out('lost with its server');
    attempt(3, 'three\n');

    expect(starts()).toEqual([
      [1000, 0, 0],
      [2000, 21, 0],
    ]);
  });
});

describe('parseLogMoments', () => {
  it('skips an incomplete record', () => {
    const { open, out, stdoutFile, moments } = openSet();
    out('1\n');
    open().close();
    truncateSync(logTimesFile(stdoutFile), 23);

    expect(moments()).toEqual([]);
  });
});
