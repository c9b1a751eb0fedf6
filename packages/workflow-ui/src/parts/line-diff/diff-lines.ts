export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Above this product of lines, what differs is shown as removed and added as a whole. */
const maxCells = 4_000_000;

/** The lines of both texts, with what was removed from the first and added by the second. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [left, right] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < Math.min(left.length, right.length) && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const toLines = (texts: readonly string[], kind: DiffLine['kind']): readonly DiffLine[] =>
    texts.map((text) => ({ kind, text }));
  return [
    ...toLines(left.slice(0, start), 'same'),
    ...diffMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...toLines(left.slice(left.length - end), 'same'),
  ];
}

function diffMiddle(left: readonly string[], right: readonly string[]): readonly DiffLine[] {
  if (left.length * right.length > maxCells) {
    return [
      ...left.map((text) => ({ kind: 'removed', text }) as const),
      ...right.map((text) => ({ kind: 'added', text }) as const),
    ];
  }
  const common = countCommon(left, right);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [one, other] = [left[i], right[j]];
    if (one !== undefined && one === other) {
      lines.push({ kind: 'same', text: one });
      i += 1;
      j += 1;
    } else if (one !== undefined && (other === undefined || (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push({ kind: 'removed', text: one });
      i += 1;
    } else if (other !== undefined) {
      lines.push({ kind: 'added', text: other });
      j += 1;
    }
  }
  return lines;
}

/** How many lines the rests of both texts have in common, from each pair of places on. */
function countCommon(left: readonly string[], right: readonly string[]): readonly Uint32Array[] {
  const counts = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i -= 1) {
    const [row, next] = [counts[i], counts[i + 1]];
    if (row === undefined || next === undefined) continue;
    for (let j = right.length - 1; j >= 0; j -= 1) {
      row[j] = left[i] === right[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return counts;
}
