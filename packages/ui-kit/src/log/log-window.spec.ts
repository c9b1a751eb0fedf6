import type { LogFollower, LogLine, LogPart, LogPlace, LogSource } from './log-source';
import { LogWindow } from './log-window';

const aLine = (number: number, text = `line ${number}`): LogLine => ({ number, text, isCut: false });

/** A log in memory, which remembers what was read. */
class FakeLog implements LogSource {
  readonly files = [];
  readonly reads: (LogPlace & { readonly limit: number })[] = [];
  follower: LogFollower | undefined;
  fails = false;
  countsFail = 0;
  /** Lines of one answer at most. */
  largestPart = 10_000;

  constructor(
    public totalLines: number,
    private readonly text: (number: number) => string = (number) => `line ${number}`,
  ) {}

  readonly read = (place: LogPlace, limit: number): Promise<LogPart> => {
    this.reads.push({ ...place, limit });
    if ('tail' in place && this.countsFail-- > 0) return Promise.reject(new Error('It takes too long.'));
    if (this.fails) return Promise.reject(new Error('The server cannot be reached.'));
    const first = 'line' in place ? place.line : Math.max(1, this.totalLines - place.tail + 1);
    const last = Math.min(this.totalLines, first + Math.min(limit, this.largestPart) - 1);
    const lines = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
      aLine(first + index, this.text(first + index)),
    );
    return Promise.resolve({
      lines,
      totalLines: this.totalLines,
      isEstimate: this.countsFail > 0,
      totalBytes: this.totalLines * 10,
      attempts: 1,
    });
  };
  readonly search = () => Promise.reject(new Error('Nobody searches here.'));
  readonly follow = (_line: number, follower: LogFollower) => {
    this.follower = follower;
    return () => undefined;
  };
}

/** Resolves once the window holds the lines. */
async function haveRead(log: LogWindow, ...numbers: readonly number[]): Promise<void> {
  while (numbers.some((number) => log.line(number) === undefined)) {
    await new Promise<void>((resolve) => {
      const stop = log.subscribe(() => {
        stop();
        resolve();
      });
    });
  }
}

it('reads the beginning, and blocks of a thousand lines around the view', async () => {
  const source = new FakeLog(5_000_000);
  const log = new LogWindow(source);
  await log.open({ line: 1 });
  log.show(4_000_500, 4_000_530);
  await haveRead(log, 4_000_500, 4_000_530);

  expect(log.line(1)?.text).toBe('line 1');
  expect(log.line(2_000_000)).toBeUndefined();
  expect(source.reads.length).toBeLessThanOrEqual(4);
});

it('holds a limited part of a log that is read from beginning to end', async () => {
  const log = new LogWindow(new FakeLog(60_000));
  await log.open({ line: 1 });
  for (let first = 1; first < 60_000; first += 1000) {
    log.show(first, first + 30);
    await haveRead(log, first, first + 30);
  }

  const kept = Array.from({ length: 60_000 }, (_, index) => log.line(index + 1)).filter((line) => line !== undefined);
  expect(kept.length).toBeLessThanOrEqual(51_000);
});

it('holds fewer lines where they are long', async () => {
  const log = new LogWindow(new FakeLog(6000, () => 'x'.repeat(16_384)));
  await log.open({ line: 1 });
  for (let first = 1; first < 6000; first += 1000) {
    log.show(first, first + 30);
    await haveRead(log, first, first + 30);
  }

  const kept = Array.from({ length: 6000 }, (_, index) => log.line(index + 1)).filter((line) => line !== undefined);
  expect(kept.length).toBeLessThan(3000);
});

it('continues reading after an answer with fewer lines than requested', async () => {
  const source = new FakeLog(2000);
  const log = new LogWindow(source);
  await log.open({ line: 1 });
  source.largestPart = 7;
  log.show(1500, 1530);

  await haveRead(log, 1500, 1515, 1530);
});

it('appends new lines, and replaces the lines of a truncated log', async () => {
  const source = new FakeLog(3);
  const log = new LogWindow(source);
  await log.open({ tail: 10 });
  log.follow();
  source.follower?.onLines({
    lines: [aLine(4), aLine(5)],
    totalLines: 5,
    isEstimate: false,
    totalBytes: 50,
    attempts: 1,
  });
  expect(log.getState().totalLines).toBe(5);
  expect(log.line(5)?.text).toBe('line 5');

  source.follower?.onCut(3);
  source.follower?.onLines({ lines: [aLine(3, 'cut')], totalLines: 3, isEstimate: false, totalBytes: 25, attempts: 1 });
  expect(log.getState().totalLines).toBe(3);
  expect([log.line(2)?.text, log.line(3)?.text, log.line(4)]).toEqual(['line 2', 'cut', undefined]);
});

it('reports that the log has reached its limit', async () => {
  const note = '[Log limit: output after 1048576 bytes was dropped.]';
  const log = new LogWindow(new FakeLog(10, (number) => (number === 10 ? note : 'text')));
  await log.open({ tail: 300 });

  expect(log.getState().limitBytes).toBe(1_048_576);
});

it('keeps the lines read when a request fails, and retries on demand', async () => {
  const source = new FakeLog(10_000);
  const log = new LogWindow(source);
  await log.open({ line: 1 });
  source.fails = true;
  log.show(290, 320);
  await new Promise<void>((resolve) => log.subscribe(resolve));
  expect(log.getState().error).toBeInstanceOf(Error);
  expect(log.line(1)).toBeDefined();

  source.fails = false;
  log.retry();
  await haveRead(log, 320);
  expect(log.getState().error).toBeUndefined();
});

it('shows the lines read while they cannot be counted, and continues counting', async () => {
  const source = new FakeLog(1000);
  source.countsFail = 2;
  const log = new LogWindow(source);
  await log.open({ line: 1 });

  expect(log.line(1)).toBeDefined();
  expect(log.getState()).toMatchObject({ isEstimate: false, error: undefined });
  expect(source.reads.filter((read) => 'tail' in read)).toHaveLength(3);
});
