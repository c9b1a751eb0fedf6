/** Lines that fix the cause of a failure, ready to copy. */
export interface FixBlock {
  readonly title: string;
  /** The language of the code block. */
  readonly language: string;
  readonly lines: readonly string[];
}
