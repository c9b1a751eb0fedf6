/** The texts of the log viewer, in the language of the page. */
export interface LogTexts {
  readonly log: string;
  readonly loading: string;
  readonly empty: string;
  readonly emptyWhileRunning: string;
  readonly failed: string;
  readonly retry: string;
  /** Formats `≈ 1,200,000 lines · 48 MB`. */
  readonly size: (lines: number, isEstimate: boolean, bytes: number) => string;
  readonly cut: (bytes: number) => string;
  readonly follow: string;
  readonly following: string;
  readonly newLines: (count: number) => string;
  readonly download: string;
  readonly view: string;
  readonly wrap: string;
  readonly readableJson: string;
  readonly times: string;
  readonly noTimes: string;
  readonly relativeTimes: string;
  readonly absoluteTimes: string;
  readonly goToLine: string;
  readonly find: string;
  readonly findPlaceholder: string;
  readonly isRegex: string;
  readonly isCaseSensitive: string;
  readonly onlyMatches: string;
  readonly context: string;
  readonly contextLines: (count: number) => string;
  readonly previous: string;
  readonly next: string;
  readonly close: string;
  readonly searching: string;
  readonly noMatch: string;
  /** Formats `3 of 1,204`, with a sign that there may be more. */
  readonly match: (place: number, count: number, isComplete: boolean) => string;
  /** Formats the same where only matches are shown. */
  readonly matches: (count: number, isComplete: boolean) => string;
  readonly searchFailed: (error: unknown) => string;
  readonly moreMatches: string;
  readonly tooManyMatches: string;
  readonly selected: (first: number, last: number) => string;
  readonly copyLines: string;
  readonly copyLink: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly clearSelection: string;
  /** The rest of a long line that the page has. */
  readonly showRest: (characters: number) => string;
  /** The rest of a line that only the download has. */
  readonly lineCut: string;
  readonly stderr: string;
  readonly attempt: (number: number) => string;
  readonly allAttempts: string;
  readonly chooseAttempt: string;
}
