import { FILE_HEADERS_ONLY, formatPatch, structuredPatch, type StructuredPatchHunk } from 'diff';

/** A diff is searched for up to this many different lines, because the time grows with the square. */
const maxEditLength = 2000;

export interface DiffSide {
  /** The label of this side in the header. */
  readonly label: string;
  readonly text: string;
}

export interface UnifiedDiff {
  /** Empty for equal texts. */
  readonly diff: string;
  /** Whether the diff has only the different lines with their context; otherwise it replaces the whole text. */
  readonly isMinimal: boolean;
}

/** Returns the difference of two texts of a file in the unified format. */
export function unifiedDiff(fileName: string, from: DiffSide, to: DiffSide): UnifiedDiff {
  if (from.text === to.text) return { diff: '', isMinimal: true };
  const patch = structuredPatch(fileName, fileName, from.text, to.text, from.label, to.label, {
    context: 3,
    maxEditLength,
  });
  const headers = { oldFileName: fileName, newFileName: fileName, oldHeader: from.label, newHeader: to.label };
  const found = patch ?? { ...headers, hunks: [replaceAll(from.text, to.text)] };
  return { diff: formatPatch(found, FILE_HEADERS_ONLY), isMinimal: patch !== undefined };
}

function replaceAll(oldText: string, newText: string): StructuredPatchHunk {
  const [oldLines, newLines] = [toLines(oldText), toLines(newText)];
  return {
    oldStart: 1,
    oldLines: oldLines.length,
    newStart: 1,
    newLines: newLines.length,
    lines: [...toSide('-', oldLines, oldText), ...toSide('+', newLines, newText)],
  };
}

function toLines(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function toSide(sign: '-' | '+', lines: readonly string[], text: string): readonly string[] {
  const signed = lines.map((line) => `${sign}${line}`);
  return lines.length === 0 || text.endsWith('\n') ? signed : [...signed, '\\ No newline at end of file'];
}
