import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from '@weir/test-kit';
import { parseLogMoments } from './log-times';
import { createMasker } from '../../values/masking/masker';
import { openActionLog } from './action-log';

const clock = createManualClock();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-action-log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = (name: string) => join(folder, name);
const readLog = (name: string) => readFile(file(name), 'utf8');

describe('openActionLog', () => {
  it('hides secrets in both streams, even those that are printed in pieces', async () => {
    const masker = createMasker(['hunter22']);
    const log = openActionLog({ stdoutFile: file('a.out'), stderrFile: file('a.err'), masker }, clock);
    log.line('a hunter22');
    log.out('b hunt');
    log.out(Buffer.from('er22 hunter'));
    log.note('c hunter22');
    log.err('hunter2');
    log.close();

    expect(await readLog('a.out')).toBe('a *****\nb ***** hunter');
    expect(await readLog('a.err')).toBe('c *****\nhunter2');
  });

  it('writes both streams into one log, and one of them into a separate copy', async () => {
    const copies = { stdoutFile: file('a.stdout') };
    const log = openActionLog({ stdoutFile: file('a.log'), stderrFile: file('a.log'), copies }, clock);
    log.line('out');
    log.note('err');
    log.line('out again');
    log.close();

    expect(await readLog('a.log')).toBe('out\nerr\nout again\n');
    expect(await readLog('a.stdout')).toBe('out\nout again\n');
  });

  it('records in which order the streams were printed', async () => {
    const log = openActionLog({ stdoutFile: file('a.out'), stderrFile: file('a.err') }, clock);
    log.line('1');
    log.note('two');
    log.line('3');
    log.line('4');
    log.close();

    expect(parseLogMoments(await readFile(file('a.times')))).toMatchObject([
      { stdoutBytes: 2, stderrBytes: 0 },
      { stdoutBytes: 2, stderrBytes: 4 },
      { stdoutBytes: 6, stderrBytes: 4 },
    ]);
  });
});
