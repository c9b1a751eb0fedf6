import { mkdir, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../../model/ports/logger';
import type { Clock } from '../../model/ports/clock';

/** The log of one run, for people. */
export interface RunLog {
  /** `message` is a constant text; what varies goes into the fields. */
  write(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Waits until everything is written. */
  close(): Promise<void>;
}

export interface RunLogOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Lines keep their order. A log that cannot be written does not stop its run: that is reported once. */
export function openRunLog({ file, clock, logger }: RunLogOptions): RunLog {
  let handle: FileHandle | undefined;
  let isBroken = false;
  let lines: string[] = [];
  let writing: Promise<void> | undefined;
  const writeAll = async (): Promise<void> => {
    try {
      handle ??= await openForAppend(file);
      while (lines.length > 0) {
        const text = lines.join('');
        lines = [];
        await handle.appendFile(text);
      }
    } catch (error) {
      isBroken = true;
      lines = [];
      logger.warn({ file, error }, 'run log is not written');
    }
    writing = undefined;
  };
  return {
    write: (message, fields = {}) => {
      if (isBroken) return;
      lines.push(`${[clock.now().toISOString(), message, ...fieldTexts(fields)].join(' ')}\n`);
      writing ??= writeAll();
    },
    close: async () => {
      await writing;
      await handle?.close();
    },
  };
}

async function openForAppend(file: string): Promise<FileHandle> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  return open(file, 'a', 0o600);
}

function fieldTexts(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
}
