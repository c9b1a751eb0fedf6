export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'hunk';
  readonly text: string;
  /** The number of the line in the text before, and after. */
  readonly before?: number;
  readonly after?: number;
}

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

/** The lines of a unified diff. What stands before the first hunk, such as the names of files, is left out. */
export function parseUnifiedDiff(diff: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [before, after] = [0, 0];
  for (const line of diff.split('\n')) {
    const head = hunkHead.exec(line);
    if (head !== null) {
      [before, after] = [Number(head[1]), Number(head[2])];
      lines.push({ kind: 'hunk', text: (head[3] ?? '').trim() });
      continue;
    }
    if (lines.length === 0) continue;
    const text = line.slice(1);
    if (line.startsWith('+')) lines.push({ kind: 'added', text, after: after++ });
    else if (line.startsWith('-')) lines.push({ kind: 'removed', text, before: before++ });
    else if (line.startsWith(' ')) lines.push({ kind: 'same', text, before: before++, after: after++ });
  }
  return lines;
}
