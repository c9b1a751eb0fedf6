import { applyPatch } from 'diff';
import { unifiedDiff } from './unified-diff';

const compare = (from: string, to: string) =>
  unifiedDiff('nightly.yaml', { label: 'revision 1', text: from }, { label: 'revision 2', text: to });
const numbered = (count: number, prefix = 'line') =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}\n`).join('');

describe('unifiedDiff', () => {
  it('returns the different lines with three lines around them', () => {
    expect(compare(numbered(20), numbered(20).replace('line 9\n', 'changed\n'))).toEqual({
      isMinimal: true,
      diff: [
        '--- nightly.yaml\trevision 1',
        '+++ nightly.yaml\trevision 2',
        '@@ -7,7 +7,7 @@',
        ...[' line 6', ' line 7', ' line 8', '-line 9', '+changed', ' line 10', ' line 11', ' line 12', ''],
      ].join('\n'),
    });
  });

  it('returns nothing for equal texts', () => {
    expect(compare('a\n', 'a\n')).toEqual({ diff: '', isMinimal: true });
  });

  it.each([
    ['texts that differ in one line', numbered(5000), numbered(5000).replace('line 4999', 'last'), true],
    ['a text for nothing', '', 'a\nb\n', true],
    ['a text without a newline at its end', 'a\nb', 'a\nb\n', true],
    ['long texts that have nothing in common', numbered(3000, 'old'), numbered(3000, 'new'), false],
    ['long texts without newlines at their ends', `${numbered(3000, 'old')}x`, `${numbered(3000, 'new')}y`, false],
    ['a long text for nothing', '', numbered(3000), false],
    ['nothing for a long text', numbered(3000), '', false],
  ])('creates a patch that makes one text of the other for %s', (_, from, to, isMinimal) => {
    const { diff, ...rest } = compare(from, to);

    expect(rest).toEqual({ isMinimal });
    expect(applyPatch(from, diff)).toBe(to);
  });
});
