/** A line of a log. */
export interface LogLine {
  /** Counted from 1. */
  readonly number: number;
  /** Its beginning, where it is very long. */
  readonly text: string;
  /** Whether the line is longer than its text. */
  readonly isCut: boolean;
  /** Of logs that have both streams. */
  readonly stream?: 'stdout' | 'stderr' | undefined;
  /** When it was printed, as an ISO date; absent where it is not known. */
  readonly time?: string | undefined;
}

/** A part of a log. */
export interface LogPart {
  readonly lines: readonly LogLine[];
  readonly totalLines: number;
  /** Whether `totalLines` is an estimate. */
  readonly isEstimate: boolean;
  readonly totalBytes: number;
}

/** Where a part begins. */
export type LogPlace = { readonly line: number } | { readonly tail: number };

export interface Span {
  /** In UTF-16 units of the text of its line. */
  readonly start: number;
  readonly end: number;
}

/** A line that a search has found, or one beside it. */
export interface FoundLine extends LogLine {
  readonly isMatch: boolean;
  readonly spans: readonly Span[];
}

export interface LogQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

export interface LogFindings {
  /** Lines that follow each other: matches with those around them. */
  readonly groups: readonly (readonly FoundLine[])[];
  /** How many lines match in what was searched, whether returned or not. */
  readonly matchingLines: number;
  /** Whether it was searched to its end. */
  readonly isComplete: boolean;
  /** Continues the search. */
  readonly nextCursor?: string | undefined;
}

interface SearchOptions {
  /** Lines around each match. */
  readonly context: number;
  readonly cursor?: string;
  readonly signal: AbortSignal;
}

export interface LogFile {
  readonly name: string;
  /** Where the whole of it can be downloaded. */
  readonly address: string;
}

export interface LogFollower {
  readonly onLines: (part: LogPart) => void;
  /** What is told from now on replaces this line and those after it. */
  readonly onCut: (line: number) => void;
}

/** A log of any size, wherever it is kept. A new object stands for another log. */
export interface LogSource {
  /** Fewer lines than asked for, where they are long. */
  readonly read: (place: LogPlace, limit: number, signal: AbortSignal) => Promise<LogPart>;
  /** Searches all of it. Rejects when the query is not a regular expression. */
  readonly search: (query: LogQuery, options: SearchOptions) => Promise<LogFindings>;
  /** Tells what is written, from a line on, until the returned function is called. */
  readonly follow: (line: number, follower: LogFollower) => () => void;
  /** The files that it consists of. */
  readonly files: readonly LogFile[];
}
