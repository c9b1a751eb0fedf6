import { compilePattern, literalPattern } from '@weir/workflow-spec/text';

export interface LogQuery {
  readonly text: string;
  /** Whether the text is a regular expression (RE2) instead of plain text. */
  readonly isPattern: boolean;
  readonly ignoresCase: boolean;
}

export interface MatchSpan {
  readonly start: number;
  readonly end: number;
}

/** Decides which lines of a log match. */
export interface LineMatcher {
  /** Calls `onMatch` with the beginning of each line of the block that matches; a block has complete lines. */
  scan(block: Buffer, onMatch: (start: number) => void): void;
  /** Returns the matches in a line, in UTF-16 units; the first ones only. */
  spansOf(text: string): readonly MatchSpan[];
}

const lineBreak = 0x0a;
const maxSpans = 100;

/** The time depends only on the length of the log, for any pattern. Returns `undefined` for an invalid pattern. */
export function createLineMatcher(query: LogQuery): LineMatcher | undefined {
  const { text, isPattern, ignoresCase } = query;
  const body = isPattern ? text : literalPattern(text);
  const exact = compilePattern(body);
  const pattern = exact !== undefined && ignoresCase ? compilePattern(`(?i:${body})`) : exact;
  if (pattern === undefined) return undefined;
  const spansOf = (line: string): readonly MatchSpan[] => {
    const matcher = pattern.matcher(line);
    const spans: MatchSpan[] = [];
    while (spans.length < maxSpans && matcher.find()) {
      if (matcher.end() > matcher.start()) spans.push({ start: matcher.start(), end: matcher.end() });
    }
    return spans;
  };
  if (!isPattern && !ignoresCase) return { spansOf, scan: scanBytes(Buffer.from(text)) };
  if (!isPattern && isAscii(text)) return { spansOf, scan: scanLowerCase(text.toLowerCase()) };
  return { spansOf, scan: scanLines((line) => pattern.test(line)) };
}

function scanBytes(needle: Buffer): LineMatcher['scan'] {
  return (block, onMatch) => {
    for (let found = block.indexOf(needle); found >= 0;) {
      onMatch(startOfLine(block, found));
      const end = block.indexOf(lineBreak, found);
      if (end < 0) return;
      found = block.indexOf(needle, end + 1);
    }
  };
}

/** In Latin-1 a character is a byte; case is ignored only for ASCII letters. */
function scanLowerCase(needle: string): LineMatcher['scan'] {
  return (block, onMatch) => {
    const text = block.toString('latin1').toLowerCase();
    for (let found = text.indexOf(needle); found >= 0;) {
      onMatch(startOfLine(block, found));
      const end = block.indexOf(lineBreak, found);
      if (end < 0) return;
      found = text.indexOf(needle, end + 1);
    }
  };
}

function scanLines(isMatch: (line: string) => boolean): LineMatcher['scan'] {
  return (block, onMatch) => {
    for (let start = 0; start < block.length;) {
      const found = block.indexOf(lineBreak, start);
      const end = found < 0 ? block.length : found;
      if (isMatch(block.toString('utf8', start, end))) onMatch(start);
      start = end + 1;
    }
  };
}

function startOfLine(block: Buffer, at: number): number {
  return at === 0 ? 0 : block.lastIndexOf(lineBreak, at - 1) + 1;
}

function isAscii(text: string): boolean {
  return /^[\0-\x7F]*$/.test(text);
}
