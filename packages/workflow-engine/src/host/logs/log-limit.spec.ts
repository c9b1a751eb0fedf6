import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { createLogLimit, isCutLog } from './log-limit';

let folder: TemporaryFolder;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const file = (name: string) => folder.file(name);
const read = (name: string) => readFileSync(file(name), 'utf8');
const limitOfRun = (maxRunBytes: number) =>
  createLogLimit({ maxBytes: 80, maxRunBytes, onExceeded: 'drop' }, folder.path);
const markOfRun = (bytes: number) =>
  `\n[Log limit: output after ${bytes} bytes was dropped, because the logs of a run can have 100 bytes.]\n`;

describe('the limit of the logs of a run', () => {
  it('cuts output beyond the limit of all logs together, and adds a note', async () => {
    const limit = limitOfRun(100);
    writeFileSync(file('a.out'), 'a'.repeat(70));
    const first = limit.cut([file('a.out')]);
    writeFileSync(file('b.out'), 'b'.repeat(70));
    const second = limit.cut([file('b.out')]);

    expect([first, second]).toEqual([false, true]);
    expect(read('a.out')).toBe('a'.repeat(70));
    expect(read('b.out')).toBe('b'.repeat(30) + markOfRun(30));
    await expect(isCutLog(file('b.out'))).resolves.toBe(true);
  });

  it('cuts further output at the same point', () => {
    const limit = limitOfRun(100);
    writeFileSync(file('a.out'), 'a'.repeat(70));
    writeFileSync(file('b.out'), 'b'.repeat(70));
    limit.cut([file('a.out'), file('b.out')]);
    appendFileSync(file('b.out'), 'b'.repeat(500));
    limit.cut([file('a.out'), file('b.out')]);

    expect(read('b.out')).toBe('b'.repeat(30) + markOfRun(30));
  });

  it('keeps nothing of a log that begins after it is reached', () => {
    const limit = limitOfRun(100);
    writeFileSync(file('a.out'), 'a'.repeat(60));
    writeFileSync(file('b.out'), 'b'.repeat(40));
    writeFileSync(file('c.out'), 'c');
    limit.cut([file('a.out'), file('b.out'), file('c.out')]);

    expect(read('c.out')).toBe(markOfRun(0));
  });

  it('counts the logs of all scopes that an earlier owner of the run left, and not the log of the run', () => {
    mkdirSync(file('on'));
    writeFileSync(file('a.out'), 'a'.repeat(50));
    writeFileSync(file('on/a.log'), 'a'.repeat(30));
    writeFileSync(file('run.log'), 'a'.repeat(50));
    writeFileSync(file('a.times'), 'a'.repeat(50));
    const limit = limitOfRun(100);
    limit.cut([]);
    writeFileSync(file('b.out'), 'b'.repeat(30));
    limit.cut([file('b.out')]);

    expect(read('b.out')).toBe('b'.repeat(20) + markOfRun(20));
  });

  it('limits copies of streams like a log, and does not count them', () => {
    const limit = limitOfRun(100);
    writeFileSync(file('a.stdout'), 'a'.repeat(90));
    writeFileSync(file('a.log'), 'a'.repeat(70));
    limit.cut([file('a.stdout'), file('a.log')]);

    expect(read('a.stdout')).toBe(`${'a'.repeat(80)}\n[Log limit: output after 80 bytes was dropped.]\n`);
    expect(read('a.log')).toBe('a'.repeat(70));
  });
});
