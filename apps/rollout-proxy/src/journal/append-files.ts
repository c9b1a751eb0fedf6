import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { LRUCache } from 'lru-cache';

/** Files that are appended to; the most recently used ones stay open. */
export interface AppendFiles {
  /**
   * Appends at once, on this thread: into the memory of the operating system, which takes some microseconds, while a
   * thread of the pool would first have to finish encoding. Throws the system's error.
   */
  append(file: string, content: Uint8Array): void;
  /** Must be called before a file is replaced or removed. */
  close(file: string): void;
}

export function createAppendFiles(maxOpen: number): AppendFiles {
  const descriptors = new LRUCache<string, number>({
    max: maxOpen,
    dispose: (descriptor) => {
      try {
        closeSync(descriptor);
      } catch {
        // The writes were acknowledged before, so closing promises nothing more.
      }
    },
  });
  const findOpen = (file: string): number | undefined => {
    const descriptor = descriptors.get(file);
    // The file was removed: what is written to it would be lost without an error.
    if (descriptor === undefined || fstatSync(descriptor).nlink > 0) return descriptor;
    descriptors.delete(file);
    return undefined;
  };
  return {
    append: (file, content) => {
      const open = findOpen(file);
      const descriptor = open ?? openSync(file, 'a', 0o600);
      if (open === undefined) descriptors.set(file, descriptor);
      for (let at = 0; at < content.length;) at += writeSync(descriptor, content, at);
    },
    close: (file) => void descriptors.delete(file),
  };
}
