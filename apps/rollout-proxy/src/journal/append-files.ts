import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

/** Files that are appended to stay open, the latest of them. */
export interface AppendFiles {
  /**
   * Appends at once, on this thread: into the memory of the operating system, which takes some microseconds, while a
   * thread of the pool would first have to be done with the texts it encodes. Throws what the system says.
   */
  append(file: string, content: Uint8Array): void;
  /** Before a file is put in another's place or taken away. */
  close(file: string): void;
}

export function createAppendFiles(maxOpen: number): AppendFiles {
  const descriptors = new Map<string, number>();
  const close = (file: string): void => {
    const descriptor = descriptors.get(file);
    if (descriptor === undefined) return;
    descriptors.delete(file);
    try {
      closeSync(descriptor);
    } catch {
      // The writes were answered before; closing adds nothing to what they promised.
    }
  };
  const open = (file: string): number => {
    const [oldest] = descriptors.keys();
    if (descriptors.size >= maxOpen && oldest !== undefined) close(oldest);
    return openSync(file, 'a', 0o600);
  };
  return {
    append: (file, content) => {
      const known = descriptors.get(file);
      // Somebody took the file away: what went there would be lost without a word.
      if (known !== undefined && fstatSync(known).nlink === 0) close(file);
      const descriptor = descriptors.get(file) ?? open(file);
      descriptors.delete(file);
      descriptors.set(file, descriptor);
      for (let at = 0; at < content.length;) at += writeSync(descriptor, content, at);
    },
    close,
  };
}
