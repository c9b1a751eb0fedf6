/** Where a format's reader tells the call that it is reading. */
export interface CallSink {
  /** The name is known. False when there is no such tool, or no room for one more call: the reader answers `bad`. */
  start(name: string): boolean;
  /** More of the arguments. Before `start` it is kept until then. False when they are too long: `bad`. */
  write(text: string): boolean;
  /** How much longer the arguments may become. */
  remainingLength(): number;
  /** The call is whole. A call without arguments gets `{}`. */
  end(): void;
}
