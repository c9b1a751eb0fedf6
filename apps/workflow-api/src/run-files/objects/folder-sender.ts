import path from 'node:path';
import type { FileSender, PartStore, SendOptions } from './file-sender';
import { formatManifest, manifestPrefix, partPrefix, type FolderManifest } from './folder-manifest';
import type { ObjectStorage } from './object-storage';
import { scanFolder, type ScannedFile } from './scan-folder';

export interface FolderSenderOptions {
  readonly storage: ObjectStorage;
  readonly folder: string;
  readonly writer: string;
  /** The files that an earlier owner has sent, which are now in the folder. */
  readonly earlier: FolderManifest | undefined;
  /** Decides which files are sent, by their paths. */
  readonly isSent: (path: string) => boolean;
  readonly createSender: (firstGeneration: number, store: PartStore) => FileSender;
}

export interface FolderSender {
  /** Sends the changes; parts first, then the manifest that names them. Must not be called concurrently. */
  send(options: SendOptions & { readonly isClosed?: boolean }): Promise<void>;
}

/** Sends the files of one folder of a run as long as this process owns the run. */
export function createFolderSender(options: FolderSenderOptions): FolderSender {
  const { storage, folder, writer, earlier, isSent, createSender } = options;
  const parts = partPrefix(folder, writer);
  const senders = new Map<string, FileSender>();
  const generations = new Map(Array.from(earlier?.files ?? [], ([file, { generation }]) => [file, generation]));
  let nextNumber = 0;
  let discarded: string[] = [];
  let isDirty = true;

  const putNext = async (put: (key: string) => Promise<void>): Promise<number> => {
    const number = nextNumber;
    nextNumber += 1;
    await put(`${parts}${number}`);
    return number;
  };
  const store: PartStore = {
    put: (bytes) => putNext((key) => storage.put(key, bytes)),
    putStream: (bytes) => putNext((key) => storage.putStream(key, bytes)),
    discard: (numbers) => void discarded.push(...numbers.map((number) => `${parts}${number}`)),
  };

  const forgetRemoved = (found: readonly ScannedFile[]): void => {
    const there = new Set(found.map((file) => file.path));
    for (const [name, sender] of senders) {
      if (there.has(name)) continue;
      senders.delete(name);
      const { sent } = sender;
      if (sent === undefined) continue;
      generations.set(name, sent.generation + 1);
      store.discard(sent.parts.map(({ number }) => number));
      isDirty = true;
    }
  };

  const sendFile = async (file: ScannedFile, sending: SendOptions): Promise<void> => {
    const sender = senders.get(file.path) ?? createSender(generations.get(file.path) ?? 0, store);
    senders.set(file.path, sender);
    if (await sender.send(path.join(folder, file.path), file, sending)) isDirty = true;
  };

  return {
    send: async ({ isClosed = false, ...sending }) => {
      const found = (await scanFolder(folder)).filter((file) => isSent(file.path));
      forgetRemoved(found);
      for (const file of found) await sendFile(file, sending);
      if (!isDirty && !isClosed) return;
      const files = new Map(
        Array.from(senders).flatMap(([name, { sent }]) => (sent === undefined ? [] : [[name, sent] as const])),
      );
      await storage.put(`${manifestPrefix(folder)}${writer}`, formatManifest({ writer, isClosed, files }));
      isDirty = false;
      const removable = discarded;
      discarded = [];
      await storage.remove(removable);
    },
  };
}
