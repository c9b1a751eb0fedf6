import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { gitIgnores } from './ignore-patterns';
import { matchesSegment } from './match-segment';

describe('matchesSegment', () => {
  it.each([
    ['gha-creds-*.json', 'gha-creds-01.json', true],
    ['gha-creds-*.json', 'gha-creds-01.jsonc', false],
    ['*', 'a', true],
    ['**', 'a', true],
    ['?', 'a', true],
    ['?', '', false],
    ['[a-c]', 'b', true],
    ['[a-c]', 'd', false],
    ['[!a-c]', 'd', true],
    ['[^a-c]', 'b', false],
    ['[]a]', ']', true],
    ['[a-]', '-', true],
    ['[[:xdigit:]]', 'f', true],
    ['[[:xdigit:]]', 'g', false],
    ['[[:what:]]', 'w', false],
    ['[a', 'a', false],
    ['[a-\\', 'a', false],
    ['[\\]]', ']', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['\\', '\\', false],
    ['a.c', 'abc', false],
  ])('pattern %p on %p gives %p', (pattern, name, expected) => {
    expect(matchesSegment(pattern, name)).toBe(expected);
  });

  it('agrees with a regular expression on asterisks', () => {
    const text = (characters: readonly string[]) =>
      fc.array(fc.constantFrom(...characters), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text(['a', 'b', '*', '?']), text(['a', 'b']), (pattern, name) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
        expect(matchesSegment(pattern, name)).toBe(expression.test(name));
      }),
      { numRuns: 2000 },
    );
  });

  it('stays fast on a pattern made to backtrack', () => {
    expect(matchesSegment(`${'*a'.repeat(500)}b`, 'a'.repeat(500))).toBe(false);
  });
});

describe('gitIgnores against git itself', () => {
  let folder: TemporaryFolder;
  beforeAll(() => {
    folder = temporaryFolder();
    execFileSync('git', ['init', '-q'], { cwd: folder.path });
  });
  afterAll(() => folder.remove());

  const name = 'gha-creds-0a.json';
  const line = fc
    .array(
      fc.constantFrom(
        '*',
        '?',
        '[0-9]',
        '[!x]',
        '/',
        '**/',
        '!',
        '#',
        ' ',
        '\\',
        'gha-creds-',
        '0',
        'a',
        '0a',
        '.json',
        name,
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join(''))
    // After plain text git takes `**/` for the start of a pattern, against its own description.
    .filter((text) => !/[\w.-]\*{2,}\//.test(text));

  it('agrees on random files', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
        writeFileSync(folder.file('.gitignore'), `${lines.join('\n')}\n`);
        const shown = execFileSync('git', ['ls-files', '--others', '--exclude-from=.gitignore', '--', '.'], {
          cwd: folder.path,
          encoding: 'utf8',
        });
        expect(gitIgnores(lines, name)).toBe(!shown.split('\n').includes(name));
      }),
      { seed: 403, numRuns: 150 },
    );
  });

  beforeAll(() => writeFileSync(folder.file(name), '{}'));
});
