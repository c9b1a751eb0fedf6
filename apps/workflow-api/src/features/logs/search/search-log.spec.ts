import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { localRunFiles } from '../../../run-files';
import { openLogView } from '../reader/log-view';
import { createLineMatcher, type LogQuery } from './line-matcher';
import { searchLog, type LogFindings, type SearchOptions } from './search-log';

let folder: TemporaryFolder;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = folder.file('run.log');
});
afterEach(() => folder.remove());

async function search(query: Partial<LogQuery>, options: Partial<SearchOptions> = {}): Promise<LogFindings> {
  const matcher = createLineMatcher({ text: 'hit', isPattern: false, ignoresCase: false, ...query });
  if (matcher === undefined) throw new Error('The pattern is not valid.');
  const view = await openLogView(localRunFiles, { kind: 'run', file });
  const all = { context: 0, limit: 100, from: { line: 1, byte: 0 }, isOver: () => false, ...options };
  try {
    return await searchLog(view, matcher, all);
  } finally {
    await view.close();
  }
}

const textsOf = ({ groups }: LogFindings) =>
  groups.map((group) => group.map(({ number, text }) => `${number} ${text}`));

describe('searchLog', () => {
  it('finds the same lines as a search of each line, page by page', async () => {
    const long = 'x'.repeat(400_000);
    const line = fc.constantFrom('', 'a hit', 'HIT hit', 'miss', 'é Hit', `${long} hit`, long);
    const query = fc.record({ isPattern: fc.boolean(), ignoresCase: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.boolean(), query, async (lines, hasBreak, asked) => {
        await writeFile(file, lines.join('\n') + (hasBreak && lines.length > 0 ? '\n' : ''));
        const pattern = new RegExp('hit', asked.ignoresCase ? 'i' : '');
        // oxlint-disable-next-line typescript/prefer-includes -- it may ignore case
        const expected = lines.flatMap((text, index) => (pattern.test(text) ? [index + 1] : []));
        const found: number[] = [];
        let next: LogFindings['next'] = { line: 1, byte: 0 };
        while (next !== undefined) {
          const page: LogFindings = await search(asked, { from: next, limit: 2 });
          expect(page.matchingLines).toBe(expected.length - found.length);
          found.push(...page.groups.flat().map(({ number }) => number));
          next = page.next;
        }

        expect(found).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('returns lines around matches, and those between near matches only once', async () => {
    await writeFile(file, '1\n2\n3 hit\n4\n5\n6 hit\n7\n8\n9\n10\n11 hit');
    const findings = await search({}, { context: 1 });

    expect(textsOf(findings)).toEqual([
      ['2 2', '3 3 hit', '4 4', '5 5', '6 6 hit', '7 7'],
      ['10 10', '11 11 hit'],
    ]);
    expect(textsOf(await search({}, { context: 0 }))).toHaveLength(3);
    expect(textsOf(await search({}, { context: 20 }))[0]).toHaveLength(11);
    expect(findings.groups[0]?.slice(0, 3).map(({ isMatch, spans }) => ({ isMatch, spans }))).toEqual([
      { isMatch: false, spans: [] },
      { isMatch: true, spans: [{ start: 2, end: 5 }] },
      { isMatch: false, spans: [] },
    ]);
  });

  it('counts all matches, returns a limited number, and returns where to continue', async () => {
    await writeFile(file, 'hit\n'.repeat(10));
    const first = await search({}, { limit: 4 });

    expect(first).toMatchObject({ matchingLines: 10, isComplete: true, next: { line: 5, byte: 16 } });
    expect(textsOf(await search({}, { limit: 4, from: { line: 9, byte: 32 } }))).toEqual([['9 hit', '10 hit']]);
  });

  it('returns its matches when its time is over, and continues from there', async () => {
    await writeFile(file, `hit\n${'x'.repeat(1_048_571)}\nhit\n`);
    const blocks = [false, true];
    const first = await search({}, { isOver: () => blocks.shift() ?? true });

    expect(first).toMatchObject({ matchingLines: 1, isComplete: false, next: { line: 3, byte: 1_048_576 } });
    expect(textsOf(await search({}, first.next && { from: first.next }))).toEqual([['3 hit']]);
  });

  it('searches for a plain text, and for a pattern per line', async () => {
    await writeFile(file, 'a.b\naxb\n');

    expect(textsOf(await search({ text: 'a.b' }))).toEqual([['1 a.b']]);
    expect(textsOf(await search({ text: 'A.B', ignoresCase: true }))).toEqual([['1 a.b']]);
    expect(textsOf(await search({ text: '^a.b$', isPattern: true }))).toEqual([['1 a.b', '2 axb']]);
  });

  it('accepts a pattern that would hang other engines', async () => {
    await writeFile(file, `${'a'.repeat(20_000)}!\n`);

    await expect(search({ text: '(a+)+$', isPattern: true })).resolves.toMatchObject({ matchingLines: 0 });
  });

  it.each(['(', ')(', 'a{1000}{1000}', '(?<=a)b'])('refuses the pattern %s', (text) => {
    expect(createLineMatcher({ text, isPattern: true, ignoresCase: true })).toBeUndefined();
  });

  it('is empty for a log that was not written', async () => {
    await expect(search({})).resolves.toEqual({
      groups: [],
      matchingLines: 0,
      isComplete: true,
      searchedBytes: 0,
      totalBytes: 0,
    });
  });
});
