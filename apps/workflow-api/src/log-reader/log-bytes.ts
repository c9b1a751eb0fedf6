import type { LogFile } from './log-file';

/** A log as a sequence of bytes, as long as it was when it was opened. Bytes before its end never change. */
export interface LogBytes {
  readonly size: number;
  /** Fewer bytes only at the end. */
  read(from: number, length: number): Promise<Buffer>;
}

export function fileBytes({ handle, size }: LogFile): LogBytes {
  return {
    size,
    read: async (from, wanted) => {
      const length = Math.max(0, Math.min(wanted, size - from));
      const bytes = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(bytes, filled, length - filled, from + filled);
        // The log was cut meanwhile.
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
  };
}

export const noBytes: LogBytes = { size: 0, read: () => Promise.resolve(Buffer.alloc(0)) };
