import { stat } from 'node:fs/promises';
import { isSystemError } from '@weir/errors';
import type { FileLimits, LogSource } from '../../../log-reader';

/** How large the files of a log are, from look to look. */
export class LogSizes {
  readonly #limits = new Map<string, number>();
  #known = new Map<string, number>();
  #cuts = 0;

  /** How often a file became shorter. */
  get cuts(): number {
    return this.#cuts;
  }

  /** A file that was cut ends there: what its step still writes is cut off again. */
  get limits(): FileLimits {
    return this.#limits;
  }

  /** Whether a file has changed since the last look. */
  async look(source: LogSource): Promise<boolean> {
    const files = filesOf(source);
    const found = new Map(await Promise.all(files.map(async (file) => [file, await readSize(file)] as const)));
    const known = this.#known;
    this.#known = found;
    let isCut = false;
    for (const [file, size] of found) {
      if (size >= (this.#limits.get(file) ?? known.get(file) ?? 0)) continue;
      this.#limits.set(file, size);
      isCut = true;
    }
    if (isCut) this.#cuts += 1;
    return [...found].some(([file, size]) => known.get(file) !== size);
  }
}

function filesOf(source: LogSource): readonly string[] {
  return source.kind === 'both' ? [source.stdoutFile, source.stderrFile, source.timesFile] : [source.file];
}

async function readSize(file: string): Promise<number> {
  try {
    return file === '' ? 0 : (await stat(file)).size;
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return 0;
    throw error;
  }
}
