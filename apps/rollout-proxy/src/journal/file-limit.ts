import { createAppendFiles, type AppendFiles } from './append-files';

/** Executes a bounded number of works at the same time; the others wait in order. */
export interface FileLimit {
  <T>(work: () => Promise<T>): Promise<T>;
  /** The same number of files stays open between two writes. */
  readonly appendFiles: AppendFiles;
}

export function createFileLimit(maxOpen: number): FileLimit {
  const waiting: (() => void)[] = [];
  let free = maxOpen;
  const pass = async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
  return Object.assign(pass, { appendFiles: createAppendFiles(maxOpen) });
}
