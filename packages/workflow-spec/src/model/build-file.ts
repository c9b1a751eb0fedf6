/** A file that a step of a build reads or makes. */
export interface BuildFile {
  /** References use this name: `${inputs.NAME}`, `${outputs.NAME}`. */
  readonly name: string;
  /** Relative paths start from the folder in which the step executes. */
  readonly path: string;
}
