/** A log as a sequence of bytes, with the length that it had when it was opened. Bytes before its end never change. */
export interface LogBytes {
  readonly size: number;
  /** Returns fewer bytes only at the end. */
  read(from: number, length: number): Promise<Buffer>;
}

export const noBytes: LogBytes = { size: 0, read: () => Promise.resolve(Buffer.alloc(0)) };
