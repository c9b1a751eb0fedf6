/** Neither exit code nor signal when the end was not seen. */
export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}
