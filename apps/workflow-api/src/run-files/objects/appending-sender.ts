import type { FileHandle } from 'node:fs/promises';
import { withFile, type FileSender, type PartStore } from './file-sender';
import { findMerge, sizeOfParts, type FilePart } from './folder-manifest';

const sliceBytes = 4 * 1024 * 1024;
/** This many bytes at the end of the sent part are compared with the file, to notice that it was overwritten. */
const comparedBytes = 512;

/** Sends a file that is appended to, such as a log: the added bytes become another part. */
export function createAppendingSender(firstGeneration: number, store: PartStore): FileSender {
  let generation = firstGeneration;
  let parts: readonly FilePart[] = [];
  let inode: number | undefined;
  let end: Buffer = Buffer.alloc(0);

  const isContinued = async (handle: FileHandle, size: number): Promise<boolean> => {
    const sent = sizeOfParts(parts);
    return size >= sent && (await readAt(handle, sent - end.length, end.length)).equals(end);
  };

  const restart = (): void => {
    store.discard(parts.map(({ number }) => number));
    generation += 1;
    parts = [];
    end = Buffer.alloc(0);
  };

  const append = async (handle: FileHandle, size: number): Promise<void> => {
    for (let from = sizeOfParts(parts); from < size;) {
      const bytes = await readAt(handle, from, Math.min(sliceBytes, size - from));
      if (bytes.length === 0) return;
      parts = [...parts, { number: await store.put(bytes), bytes: bytes.length, level: 0 }];
      end = Buffer.concat([end, bytes]).subarray(-comparedBytes);
      from += bytes.length;
      await mergeLast(handle);
    }
  };

  const mergeLast = async (handle: FileHandle): Promise<void> => {
    for (let last = findMerge(parts); last !== undefined; last = findMerge(parts)) {
      const kept = parts.slice(0, -last.length);
      const size = sizeOfParts(last);
      const bytes = await readAt(handle, sizeOfParts(kept), size);
      // The file was cut meanwhile, which the next scan notices.
      if (bytes.length < size) return;
      const level = (last[0]?.level ?? 0) + 1;
      parts = [...kept, { number: await store.put(bytes), bytes: size, level }];
      store.discard(last.map(({ number }) => number));
    }
  };

  return {
    get sent() {
      return inode === undefined ? undefined : { generation, parts };
    },
    send: async (file, scanned) => {
      const isNew = inode === undefined;
      if (!isNew && scanned.inode === inode && scanned.size === sizeOfParts(parts)) return false;
      const before = parts;
      await withFile(file, async (handle) => {
        if (!isNew && (scanned.inode !== inode || !(await isContinued(handle, scanned.size)))) restart();
        inode = scanned.inode;
        await append(handle, scanned.size);
      });
      return isNew || parts !== before;
    },
  };
}

async function readAt(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
