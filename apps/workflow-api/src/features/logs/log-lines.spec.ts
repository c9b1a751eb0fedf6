import { open, symlink, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { localRunFiles } from '../../run-files';
import { maxPartBytes, readLogLines, type LogRange } from './log-lines';

let folder: TemporaryFolder;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = folder.file('log');
});
afterEach(() => folder.remove());

const readPart = (name: string, range: LogRange) => readLogLines(localRunFiles, { kind: 'run', file: name }, range);

/** What a reader of the whole file would return. */
function expectedPart(text: string, { tail, head, offset = 1, limit = 1000 }: LogRange): readonly string[] {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  if (tail !== undefined) return lines.slice(-tail);
  return head === undefined ? lines.slice(offset - 1, offset - 1 + limit) : lines.slice(0, head);
}

describe('readLogLines', () => {
  it('returns the same lines as reading the whole file would', async () => {
    const count = fc.integer({ min: 1, max: 12 });
    const range = fc.record({ tail: count, head: count, offset: count, limit: count }, { requiredKeys: [] });
    const lines = fc.array(fc.constantFrom('', 'a', 'é', 'x'.repeat(70_000)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lines, fc.boolean(), range, async (given, endsWithBreak, asked) => {
        const text = given.join('\n') + (endsWithBreak && given.length > 0 ? '\n' : '');
        await writeFile(file, text);
        const expected = expectedPart(text, asked);
        const part = await readPart(file, asked);

        expect(part.content).toBe(expected.join('\n'));
        expect(part.lineCount).toBe(expected.length);
        if (!part.isEstimate) expect(part.totalLines).toBe(expectedPart(text, { limit: 1000 }).length);
      }),
      { numRuns: 150 },
    );
  });

  it.each([{ head: 2 }, { tail: 2 }, { offset: 5, limit: 1 }, { offset: 5000, limit: 1 }])(
    'counts the lines of a log for %j, with any lengths, and samples those of a long one',
    async (range) => {
      // Lines so unlike each other that a guess would be far off.
      const short = `${'\n'.repeat(1000)}${'x'.repeat(4000)}\n${'\n'.repeat(1000)}last\n`;
      await writeFile(file, short);
      await expect(readPart(file, range)).resolves.toMatchObject({
        totalLines: 2002,
        isEstimate: false,
      });

      await writeFile(file, `${'x'.repeat(100)}\n`.repeat(20_000) + `${'y'.repeat(1000)}\n`.repeat(2000));
      const { totalLines, isEstimate } = await readPart(file, range);
      expect(isEstimate).toBe(true);
      expect(Math.abs(totalLines / 22_000 - 1)).toBeLessThan(0.15);
    },
  );

  it('reads from a huge file without loading it', async () => {
    const handle = await open(file, 'w');
    await handle.write('first\n');
    // Sparse: takes no room on the disk, but every byte of it would have to be held by a careless reader.
    await handle.write('\nlast\n', 3 * 1024 ** 3);
    await handle.close();
    const before = process.memoryUsage().rss;

    await expect(readPart(file, { tail: 1 })).resolves.toMatchObject({
      content: 'last',
      hasMore: true,
    });
    await expect(readPart(file, { head: 1 })).resolves.toMatchObject({
      content: 'first',
      hasMore: true,
    });
    const { content, isEstimate } = await readPart(file, { tail: 3 });
    expect(content).toHaveLength(maxPartBytes - 1);
    expect(isEstimate).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
  });

  it('cuts an endless line', async () => {
    await writeFile(file, 'x'.repeat(maxPartBytes * 2));

    await expect(readPart(file, {})).resolves.toMatchObject({ lineCount: 1, hasMore: true });
    expect((await readPart(file, { head: 1 })).content).toHaveLength(maxPartBytes);
  });

  it('does not follow links', async () => {
    await writeFile(folder.file('secret'), 'secret');
    await symlink(folder.file('secret'), file);

    await expect(readPart(file, {})).resolves.toMatchObject({ content: '' });
  });

  it('is empty for a missing file', async () => {
    await expect(readPart(file, {})).resolves.toMatchObject({ content: '', totalLines: 0 });
    await expect(readPart('', {})).resolves.toMatchObject({ content: '' });
  });
});
