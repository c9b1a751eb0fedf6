/** A person approves or rejects the step after it ran, or pushes it back. */
export interface Approval {
  readonly prompt?: string;
  /** Names of the values that the approver may give; later steps read them from their environment. */
  readonly input: readonly string[];
  /** The subset of `input` that an approval must give. */
  readonly required: readonly string[];
  /** The upstream step from which a push-back restarts; default: the step itself. */
  readonly rewindTo?: string;
}
