import { parseUnifiedDiff } from './parse-unified-diff';

it('numbers the lines of both texts', () => {
  const diff = '--- a\n+++ b\n@@ -3,3 +3,3 @@\n same\n-old\n+new\n end\n';

  expect(parseUnifiedDiff(diff)).toEqual([
    { kind: 'hunk', text: '' },
    { kind: 'same', text: 'same', before: 3, after: 3 },
    { kind: 'removed', text: 'old', before: 4 },
    { kind: 'added', text: 'new', after: 4 },
    { kind: 'same', text: 'end', before: 5, after: 5 },
  ]);
});

it('takes lines that look like names of files as lines where they are within a hunk', () => {
  expect(parseUnifiedDiff('@@ -1 +1 @@\n--- dashes\n+++ pluses\n')).toEqual([
    { kind: 'hunk', text: '' },
    { kind: 'removed', text: '-- dashes', before: 1 },
    { kind: 'added', text: '++ pluses', after: 1 },
  ]);
});

it('has no lines without a difference', () => {
  expect(parseUnifiedDiff('')).toEqual([]);
});
