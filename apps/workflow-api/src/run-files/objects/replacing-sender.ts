import { withFile, type FileSender, type PartStore } from './file-sender';
import type { FilePart } from './folder-manifest';

/** Sends a file that may change anywhere, such as an artifact, as a whole, once two scans find it unchanged. */
export function createReplacingSender(firstGeneration: number, store: PartStore): FileSender {
  let generation = firstGeneration;
  let parts: readonly FilePart[] = [];
  let seen: string | undefined;
  let sent: string | undefined;
  return {
    get sent() {
      return sent === undefined ? undefined : { generation, parts };
    },
    send: async (file, { signature, size }, { isFinal }) => {
      const isSettled = signature === seen;
      seen = signature;
      if (signature === sent || (!isSettled && !isFinal)) return false;
      const number = await withFile(file, (handle) =>
        size === 0
          ? Promise.resolve(undefined)
          : store.putStream(handle.createReadStream({ end: size - 1, autoClose: false })),
      );
      if (sent !== undefined) generation += 1;
      store.discard(parts.map((part) => part.number));
      parts = number === undefined ? [] : [{ number, bytes: size, level: 0 }];
      sent = signature;
      return true;
    },
  };
}
