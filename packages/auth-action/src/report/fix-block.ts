/** Lines that fix the cause of a failure, ready to copy. */
export interface FixBlock {
  readonly title: string;
  /** Of the code block. */
  readonly language: string;
  readonly lines: readonly string[];
}
