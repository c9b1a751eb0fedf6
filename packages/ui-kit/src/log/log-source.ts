/** A line of a log. */
export interface LogLine {
  /** Lines are counted from 1. */
  readonly number: number;
  /** The text, or its beginning where it is very long. */
  readonly text: string;
  /** Whether the line is longer than its text. */
  readonly isCut: boolean;
  /** Only in logs with both streams. */
  readonly stream?: 'stdout' | 'stderr' | undefined;
  /** The time when it was printed, as an ISO date; missing where it is unknown. */
  readonly time?: string | undefined;
  /** Only in logs of several attempts. */
  readonly attempt?: number | undefined;
}

/** A part of a log. */
export interface LogPart {
  readonly lines: readonly LogLine[];
  readonly totalLines: number;
  /** Whether `totalLines` is an estimate. */
  readonly isEstimate: boolean;
  readonly totalBytes: number;
  /** The number of attempts that wrote the whole log. */
  readonly attempts: number;
}

/** The start of a part. */
export type LogPlace = { readonly line: number } | { readonly tail: number };

export interface Span {
  /** Offsets in UTF-16 units of the text of its line. */
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
  /** Consecutive lines: matches with their context. */
  readonly groups: readonly (readonly FoundLine[])[];
  /** The number of matching lines in the searched part, returned or not. */
  readonly matchingLines: number;
  /** Whether the log was searched to its end. */
  readonly isComplete: boolean;
  /** Continues the search. */
  readonly nextCursor?: string | undefined;
}

interface SearchOptions {
  /** The number of context lines around each match. */
  readonly context: number;
  readonly cursor?: string;
  readonly signal: AbortSignal;
}

export interface LogFile {
  readonly name: string;
  /** The address for downloading the whole file. */
  readonly address: string;
}

export interface LogFollower {
  readonly onLines: (part: LogPart) => void;
  /** The lines reported from now on replace this line and those after it. */
  readonly onCut: (line: number) => void;
}

/** A log of any size in any store. A new object stands for another log. */
export interface LogSource {
  /** Returns fewer lines than requested, where they are long. */
  readonly read: (place: LogPlace, limit: number, signal: AbortSignal) => Promise<LogPart>;
  /** Searches the whole log. Rejects when the query is not a valid regular expression. */
  readonly search: (query: LogQuery, options: SearchOptions) => Promise<LogFindings>;
  /** Reports new output from a line on, until the returned function is called. */
  readonly follow: (line: number, follower: LogFollower) => () => void;
  /** The files that it consists of. */
  readonly files: readonly LogFile[];
}
