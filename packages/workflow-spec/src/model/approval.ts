/** A gate after the step: a person approves, rejects, or sends the work back. */
export interface Approval {
  readonly prompt?: string;
  /** Names of the values that the person may give; later steps find them in their environment. */
  readonly input: readonly string[];
  /** Those of `input` without which the step cannot be approved. */
  readonly required: readonly string[];
  /** Name of the step before this one from which work is done again after a push-back; missing is the step itself. */
  readonly rewindTo?: string;
}
