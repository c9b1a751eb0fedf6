/** Receives a call while a reader reads it. */
export interface CallSink {
  /**
   * Reports the name, and the model's own id of the call where templates refer to it. False when there is no such tool or
   * too many calls: the reader then returns `bad`.
   */
  start(name: string, id?: string): boolean;
  /** Reports more of the arguments, also before `start`. False when they are too long: the reader then returns `bad`. */
  write(text: string): boolean;
  remainingLength(): number;
  /** The call is complete. A call without arguments gets `{}`. */
  end(): void;
}
