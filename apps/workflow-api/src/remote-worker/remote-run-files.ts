import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { isAppError, isSystemError } from '@weir/foundation';
import { confinedPath } from '@weir/workflow-engine';
import { ownFolderOf, runStatus, type StoredRun } from '@weir/workflow-engine/model';
import { maxPieceBytes } from '../features/worker-gateway/protocol';
import {
  claimRunFiles,
  createFolderReader,
  folderPrefix,
  isLogFile,
  scanFolder,
  sendRepeatedly,
  type ClaimedFiles,
  type ObjectStorage,
  type RunFileClaim,
  type RunFiles,
} from '../run-files';
import type { ServerConnection } from './server-connection';

export interface RemoteRunFilesOptions {
  readonly connection: ServerConnection;
  /** Where the server stores logs and artifacts. */
  readonly files: 'folder' | 'objects';
}

/** A folder of a claimed run, here and on the server. */
interface SentFolder {
  readonly name: 'logs' | 'artifacts';
  readonly path: string;
}

/** This file in the folder of the logs says which claim of the run has written the files last. */
const ownerFile = '.owner';

/** Sends the files of runs to the server while they execute here, and removes them here when they end. */
export function createRemoteRunFiles({ connection, files }: RemoteRunFilesOptions): Pick<RunFiles, 'claim'> {
  return {
    claim: async (claim) => {
      const stored = await claim.load();
      const loaded = { ...claim, load: () => Promise.resolve(stored) };
      const claimed = await (files === 'objects'
        ? claimObjects(connection, loaded, stored)
        : claimFolders(connection, loaded, stored));
      return {
        ...claimed,
        close: async () => {
          await claimed.close();
          await removeEnded(connection, stored);
        },
      };
    },
  };
}

/** The working folder of a run that has ended is not needed any more: a retry may be executed by any worker. */
async function removeEnded({ call }: ServerConnection, { run }: StoredRun): Promise<void> {
  const own = ownFolderOf(run);
  const ended = await call('findById', { id: run.id }).catch(() => undefined);
  if (own === undefined || ended === undefined || !runStatus.isTerminal(ended.status)) return;
  await rm(own, { recursive: true, force: true });
}

function foldersOf({ run }: StoredRun): readonly SentFolder[] {
  const logs = { name: 'logs', path: path.dirname(run.logFile) } as const;
  return run.artifactsDir === null ? [logs] : [logs, { name: 'artifacts', path: run.artifactsDir }];
}

function claimObjects(connection: ServerConnection, claim: RunFileClaim, stored: StoredRun): Promise<ClaimedFiles> {
  const storage = createRemoteStorage(connection, { claim, stored });
  return claimRunFiles(claim, { storage, reader: createFolderReader(storage), createId: randomUUID });
}

/** The objects of the folders of one run, by keys as if the bucket were that of this worker. */
function createRemoteStorage(
  { call, readBytes, writeBytes }: ServerConnection,
  { claim, stored }: { readonly claim: RunFileClaim; readonly stored: StoredRun },
): ObjectStorage {
  const lease = { runId: stored.run.id, token: claim.token };
  const at = (key: string) => {
    for (const { name, path: folder } of foldersOf(stored)) {
      const prefix = folderPrefix(folder);
      if (key.startsWith(prefix)) return { folder: name, key: key.slice(prefix.length), prefix };
    }
    throw new Error('An object is in no folder of its run.');
  };
  const query = (key: string) => {
    const { folder, key: rest } = at(key);
    return { run: lease.runId, token: lease.token, folder, key: rest };
  };
  return {
    put: (key, content) => writeBytes('objects', query(key), content),
    putStream: (key, content) =>
      writeBytes('objects', query(key), Readable.toWeb(content) as ReadableStream<Uint8Array>),
    get: (key, range) => readBytes('objects', { ...query(key), ...range }),
    list: async (given) => {
      const { folder, key, prefix } = at(given);
      const found = await call('listObjects', { lease, folder, key });
      return found.map((object) => ({ ...object, key: `${prefix}${object.key}` }));
    },
    remove: async (keys) => {
      for (const { name } of foldersOf(stored)) {
        const ofFolder = keys.map(at).filter(({ folder }) => folder === name);
        if (ofFolder.length === 0) continue;
        await call('removeObjects', { lease, folder: name, keys: ofFolder.map(({ key }) => key) });
      }
    },
    isReachable: () => Promise.resolve(true),
    describe: () => Promise.reject(new Error('The server keeps the credentials of the bucket.')),
  };
}

async function claimFolders(
  connection: ServerConnection,
  claim: RunFileClaim,
  stored: StoredRun,
): Promise<ClaimedFiles> {
  const lease = { runId: stored.run.id, token: claim.token };
  const folders = foldersOf(stored);
  const logs = path.dirname(stored.run.logFile);
  const isOwn = (await readOwner(logs)) === String(claim.token - 1);
  const senders: FolderSender[] = [];
  for (const folder of folders) senders.push(await openFolder(connection, { folder, lease, isOwn }));
  await mkdir(logs, { recursive: true, mode: 0o700 });
  await writeFile(path.join(logs, ownerFile), String(claim.token), { mode: 0o600 });
  // When another worker has claimed the run, nothing is to be sent any more, and its next change is refused.
  let isLost = false;
  const sending = sendRepeatedly({
    send: async ({ isFinal }) => {
      try {
        for (const sender of senders) if (!isLost) await sender(isFinal);
      } catch (error) {
        if (!isAppError(error) || error.reason !== 'run_lost') throw error;
        isLost = true;
      }
    },
    ...claim,
  });
  await sending.begin();
  return {
    flush: sending.flush,
    close: async () => {
      const isSent = await sending.close();
      if (!isSent || isLost || (await readOwner(logs)) !== String(claim.token)) return;
      for (const folder of folders) await rm(folder.path, { recursive: true, force: true });
    },
  };
}

type FolderSender = (isFinal: boolean) => Promise<void>;

interface SentFile {
  /** What the server has of it. */
  bytes: number;
  signature: string;
  inode: number;
}

interface OpenFolder {
  readonly folder: SentFolder;
  readonly lease: { readonly runId: string; readonly token: number };
  /** Whether this machine has written everything that the server has. */
  readonly isOwn: boolean;
}

/** Restores what earlier owners of the run have sent, and returns what sends the changes of the folder. */
async function openFolder(connection: ServerConnection, { folder, lease, isOwn }: OpenFolder): Promise<FolderSender> {
  const { call, readBytes, writeBytes } = connection;
  const address = { run: lease.runId, token: lease.token, folder: folder.name };
  const sent = new Map<string, SentFile>();
  const seen = new Map<string, string>();
  const listed = await call('listFiles', { lease, folder: folder.name });
  if (!isOwn && listed.length > 0) await rm(folder.path, { recursive: true, force: true });
  for (const { path: file, size } of listed) {
    if (!isOwn) await restore(file);
    sent.set(file, { bytes: size, signature: '', inode: 0 });
  }
  for (const { path: file, signature, inode } of await scanFolder(folder.path)) {
    const known = sent.get(file);
    if (known !== undefined) sent.set(file, { ...known, inode, signature: isOwn ? '' : signature });
  }

  async function restore(file: string): Promise<void> {
    const target = await confinedPath(folder.path, file, { makesFolders: true });
    if ('problem' in target) return;
    const handle = await open(target.path, 'w', 0o600);
    try {
      for (let from = 0; ;) {
        const bytes = (await readBytes('files', { ...address, path: file, from })) ?? Buffer.alloc(0);
        if (bytes.length === 0) return;
        await handle.write(bytes, 0, bytes.length, from);
        from += bytes.length;
      }
    } finally {
      await handle.close();
    }
  }

  /** Sends the bytes from here to the end. */
  async function sendFrom(file: string, start: number, size: number): Promise<number> {
    const bytes = Buffer.alloc(Math.min(maxPieceBytes, Math.max(size - start, 1)));
    const handle = await open(path.join(folder.path, file), 'r').catch(ignoreMissing);
    if (handle === undefined) return start;
    try {
      let from = start;
      do {
        const { bytesRead } = await handle.read(bytes, 0, Math.min(bytes.length, size - from), from);
        await writeBytes('files', { ...address, path: file, from }, bytes.subarray(0, bytesRead));
        from += bytesRead;
        if (bytesRead === 0) break;
      } while (from < size);
      return from;
    } finally {
      await handle.close();
    }
  }

  return async (isFinal) => {
    const found = (await scanFolder(folder.path)).filter(
      ({ path: file }) => folder.name === 'artifacts' || isLogFile(file),
    );
    const there = new Set(found.map(({ path: file }) => file));
    for (const file of sent.keys()) {
      if (there.has(file)) continue;
      await call('removeFile', { lease, folder: folder.name, path: file });
      sent.delete(file);
    }
    for (const { path: file, size, signature, inode } of found) {
      const known = sent.get(file);
      if (known?.signature === signature) continue;
      // An artifact may change anywhere, so it is sent once it does not change any more.
      const isSettled = folder.name === 'logs' || isFinal || seen.get(file) === signature;
      seen.set(file, signature);
      if (!isSettled) continue;
      const isLonger = folder.name === 'logs' && known?.inode === inode && known.bytes <= size;
      sent.set(file, { bytes: await sendFrom(file, isLonger ? known.bytes : 0, size), signature, inode });
    }
  };
}

async function readOwner(logs: string): Promise<string | undefined> {
  return readFile(path.join(logs, ownerFile), 'utf8').catch(ignoreMissing);
}

function ignoreMissing(error: unknown): undefined {
  if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
  throw error;
}
