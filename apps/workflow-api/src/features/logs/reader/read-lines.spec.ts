import { open, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { createLogIndexes } from './log-indexes';
import { localRunFiles } from '../../../run-files';
import { openLogView, type LogSource } from './log-view';
import { readLines, type LinesRange } from './read-lines';
import { maxLineBytes, maxLinesBytes } from './stored-lines';

let folder: TemporaryFolder;
let file: string;
let indexes: ReturnType<typeof createLogIndexes>;

beforeEach(() => {
  folder = temporaryFolder();
  file = folder.file('run.log');
  indexes = createLogIndexes();
});
afterEach(() => folder.remove());

async function read(range: LinesRange, source: LogSource = { kind: 'run', file }) {
  const view = await openLogView(localRunFiles, source);
  try {
    return await indexes.withIndex(view, (index) => readLines(view, index, range));
  } finally {
    await view.close();
  }
}

const numbersOf = ({ lines }: Awaited<ReturnType<typeof read>>) => lines.map(({ number }) => number);

describe('readLines', () => {
  it('returns the same lines as a reader of the whole log, even after it has grown', async () => {
    const texts = fc.array(fc.constantFrom('', 'a', 'é', 'x'.repeat(300)), { maxLength: 3000 });
    const count = fc.integer({ min: 1, max: 2500 });
    const range = fc.record({ tail: count, line: count, byte: count, limit: count }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.boolean(), range, async (first, second, endsWithBreak, asked) => {
        indexes = createLogIndexes();
        await writeFile(file, first.map((text) => `${text}\n`).join(''));
        await read(asked);
        const all = [...first, ...second];
        const whole = all.join('\n') + (endsWithBreak && all.length > 0 ? '\n' : '');
        await writeFile(file, whole);
        const stored = whole === '' ? [] : whole.replace(/\n$/, '').split('\n');
        const part = await read(asked);

        expect(part.totalLines).toBe(stored.length);
        expect(part.lines.map(({ text }) => text)).toEqual(expectedLines(stored, asked, whole.endsWith('\n')));
        for (const { byte, endByte, number } of part.lines) {
          expect(Buffer.from(whole).subarray(byte, endByte).toString().replace(/\n$/, '')).toBe(stored[number - 1]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('begins at the line that contains the byte', async () => {
    await writeFile(file, 'one\ntwo\nthree\n');

    for (const [byte, number] of [
      [0, 1],
      [3, 1],
      [4, 2],
      [8, 3],
      [13, 3],
    ] as const) {
      expect(numbersOf(await read({ byte, limit: 1 }))).toEqual([number]);
    }
    await expect(read({ byte: 14 })).resolves.toMatchObject({ lines: [], next: { line: 4, byte: 14 } });
  });

  it('returns nothing after the last line, which is read again once it has grown', async () => {
    await writeFile(file, 'one\ntw');
    const { lines, next } = await read({ line: 3 });
    await writeFile(file, 'one\ntwo\nthree\n');

    expect(lines).toEqual([]);
    expect(numbersOf(await read(next))).toEqual([2, 3]);
  });

  it('cuts long lines, and limits parts with many of them', async () => {
    await writeFile(file, `${'é'.repeat(maxLineBytes)}\nshort\n${`${'x'.repeat(8191)}\n`.repeat(300)}`);
    const { lines, next } = await read({ limit: 1000 });

    expect(lines[0]).toMatchObject({ isCut: true, text: 'é'.repeat(maxLineBytes / 2) });
    expect(lines[1]).toMatchObject({ isCut: false, text: 'short', byte: 2 * maxLineBytes + 1 });
    expect(lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBeLessThan(
      maxLinesBytes + maxLineBytes,
    );
    expect(next.line).toBe(lines.length + 1);
  });

  it('returns the beginning of a huge log before it is read to its end, and any line of it', async () => {
    const handle = await open(file, 'w');
    await handle.write('first\n');
    // Sparse: takes no room on the disk.
    await handle.write('\nlast\n', 64 * 1024 ** 2);
    await handle.close();

    await expect(read({ limit: 1 })).resolves.toMatchObject({ lines: [{ text: 'first' }], isEstimate: true });
    await expect(read({ tail: 1 })).resolves.toMatchObject({ lines: [{ text: 'last', number: 3 }], totalLines: 3 });
    await expect(read({ limit: 1 })).resolves.toMatchObject({ totalLines: 3, isEstimate: false });
  });

  it('reads a log again that was cut and has grown since', async () => {
    await writeFile(file, 'x\n'.repeat(5000));
    await read({ tail: 1 });
    await writeFile(file, 'longer line\n'.repeat(500));

    await expect(read({ line: 500 })).resolves.toMatchObject({ lines: [{ text: 'longer line', byte: 499 * 12 }] });
  });

  it('has the times of the log of a run', async () => {
    await writeFile(file, '2026-11-22T09:00:00.123Z run started\nno time\n');

    expect((await read({})).lines.map(({ time }) => time?.toISOString())).toEqual([
      '2026-11-22T09:00:00.123Z',
      undefined,
    ]);
  });

  it('stops when the client disconnects', async () => {
    await writeFile(file, 'x\n');
    const view = await openLogView(localRunFiles, { kind: 'run', file });
    const reading = indexes.withIndex(view, (index) => readLines(view, index, {}, AbortSignal.abort()));

    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await view.close();
  });
});

function expectedLines(
  stored: readonly string[],
  { tail, byte, line = 1, limit = 1000 }: LinesRange,
  endsWithBreak: boolean,
): readonly string[] {
  if (tail !== undefined) return stored.slice(-tail);
  if (byte === undefined) return stored.slice(line - 1, line - 1 + limit);
  let at = 0;
  const first = stored.findIndex((text) => (at += Buffer.byteLength(text) + 1) > byte);
  if (first >= 0) return stored.slice(first, first + limit);
  // Behind the end is the last line while it may grow.
  return endsWithBreak ? [] : stored.slice(-1);
}
