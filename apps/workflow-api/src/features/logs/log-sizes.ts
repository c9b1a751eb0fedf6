import path from 'node:path';
import { listFiles, type FileLimits, type LogSource } from './reader';
import { findRunFolder, type RunFiles } from '../../run-files';

/** Compares the sizes of the files of a log between two polls. */
export class LogSizes {
  readonly #limits = new Map<string, number>();
  #known = new Map<string, number>();
  #cuts = 0;

  /** Counts how often a file became shorter. */
  get cuts(): number {
    return this.#cuts;
  }

  /** A file that was cut ends there: further output of its step is cut off again. */
  get limits(): FileLimits {
    return this.#limits;
  }

  /** Returns whether a file has changed since the last poll. */
  async look(runFiles: Pick<RunFiles, 'view'>, source: LogSource): Promise<boolean> {
    const files = listFiles(source);
    const folder = findRunFolder(files.find((file) => file !== '') ?? '');
    const view = await runFiles.view(folder);
    const sizeOf = (file: string) => (file === '' ? 0 : view.sizeOf(path.relative(folder, file)));
    const found = new Map(await Promise.all(files.map(async (file) => [file, await sizeOf(file)] as const)));
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
