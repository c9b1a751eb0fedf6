import type { SearchMatchItem } from '@weir/workflow-contract/schemas';

const linesAround = 2;
const maxLineLength = 1000;

export interface MatchRange {
  /** Only lines after this number. */
  readonly afterLine: number;
  readonly limit: number;
}

export interface FoundMatches {
  readonly matches: readonly SearchMatchItem[];
  readonly hasMore: boolean;
}

/** Finds the lines that contain the text, case-insensitively. */
export function findMatches(content: string, text: string, { afterLine, limit }: MatchRange): FoundMatches {
  const wanted = text.toLowerCase();
  if (!content.toLowerCase().includes(wanted)) return { matches: [], hasMore: false };
  const lines = content.split(/\r?\n/);
  const matches: SearchMatchItem[] = [];
  for (let index = afterLine; index < lines.length; index += 1) {
    if (lines[index]?.toLowerCase().includes(wanted) !== true) continue;
    if (matches.length === limit) return { matches, hasMore: true };
    const start = Math.max(0, index - linesAround);
    const shown = lines.slice(start, index + linesAround + 1).map((line) => line.slice(0, maxLineLength));
    matches.push({ line: shown.join('\n'), lineNumber: index + 1, startLine: start + 1 });
  }
  return { matches, hasMore: false };
}
