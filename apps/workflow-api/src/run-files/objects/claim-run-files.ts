import { appendFile, mkdir, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';
import { nodeStatus, type StoredRun } from '@weir/workflow-engine/model';
import type { ClaimedFiles, RunFileClaim } from '../files/run-files';
import { createAppendingSender } from './appending-sender';
import { folderPrefix, manifestPrefix, partPrefix, writerName, type FilePart } from './folder-manifest';
import { isLogFile } from '../files/run-files';
import { createFolderSender, type FolderSenderOptions } from './folder-sender';
import type { ObjectStorage } from './object-storage';
import type { FolderReader } from './read-folder';
import { restoreFolder } from './restore-folder';
import { sendRepeatedly } from './send-repeatedly';
import { withFile, type FileSender, type PartStore } from './file-sender';

export interface ClaimRunFilesOptions {
  readonly storage: ObjectStorage;
  readonly reader: FolderReader;
  readonly createId: () => string;
}

/** This file in the folder of the logs names the owner that has written its files. */
const ownerFile = '.owner';

const lossNote =
  '\n[The worker of this run was lost. Of what was printed last, up to a second may be missing here; more if the store could not be reached.]\n';

/** Downloads the files that earlier owners have sent, and from then on sends the files of the run. */
export async function claimRunFiles(claim: RunFileClaim, options: ClaimRunFilesOptions): Promise<ClaimedFiles> {
  const { storage, reader, createId } = options;
  const stored = await claim.load();
  const logs = path.dirname(stored.run.logFile);
  const { artifactsDir } = stored.run;
  const folders = [logs, ...(artifactsDir === null ? [] : [artifactsDir])];
  const earlier = await Promise.all(folders.map((folder) => reader.readManifest(folder)));
  const writer = writerName(claim.token, createId());
  await takeOver(stored, { reader, logs, folders, last: earlier[0] });
  await mkdir(logs, { recursive: true, mode: 0o700 });
  await writeFile(path.join(logs, ownerFile), writer, { mode: 0o600 });
  const senders = folders.map((folder, index) => {
    const common = { storage, folder, writer, earlier: earlier[index] };
    return createFolderSender({ ...common, ...(folder === logs ? logSending : artifactSending) });
  });
  const sending = sendRepeatedly({
    send: async (how) => {
      for (const sender of senders) await sender.send(how);
    },
    ...claim,
  });
  await sending.begin();
  return {
    flush: sending.flush,
    close: async () => {
      if (!(await sending.close())) return;
      for (const folder of folders) await removeEarlier(storage, folder, writer);
      // Files in the store are not needed here any more, unless another worker of this machine has taken over.
      if ((await readOwner(logs)) !== writer) return;
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}

const logSending: Pick<FolderSenderOptions, 'isSent' | 'createSender'> = {
  isSent: isLogFile,
  createSender: createAppendingSender,
};
const artifactSending: Pick<FolderSenderOptions, 'isSent' | 'createSender'> = {
  isSent: () => true,
  createSender: createReplacingSender,
};

interface TakeOver {
  readonly reader: FolderReader;
  readonly logs: string;
  readonly folders: readonly string[];
  /** The manifest of the last owner. */
  readonly last: Awaited<ReturnType<FolderReader['readManifest']>>;
}

/** Files that this machine has written itself include everything that was sent of them, so they stay. */
async function takeOver({ nodes }: StoredRun, { reader, logs, folders, last }: TakeOver): Promise<void> {
  if (last === undefined || (await readOwner(logs)) === last.writer) return;
  for (const folder of folders) await restoreFolder(reader, folder);
  if (last.isClosed) return;
  const files = nodes.filter(({ status, stderrFile }) => nodeStatus.isActive(status) && stderrFile !== '');
  for (const file of new Set(files.map(({ stderrFile }) => stderrFile))) {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await appendFile(file, lossNote, { mode: 0o600 });
  }
}

async function readOwner(logs: string): Promise<string | undefined> {
  try {
    return await readFile(path.join(logs, ownerFile), 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Names of earlier owners sort first. */
async function removeEarlier(storage: ObjectStorage, folder: string, writer: string): Promise<void> {
  const manifests = (await storage.list(manifestPrefix(folder))).filter(
    ({ key }) => key < `${manifestPrefix(folder)}${writer}`,
  );
  if (manifests.length === 0) return;
  const parts = await storage.list(`${folderPrefix(folder)}parts/`);
  const earlier = parts.filter(({ key }) => key < partPrefix(folder, writer));
  await storage.remove([...manifests, ...earlier].map(({ key }) => key));
}

/** Sends a file that may change anywhere, such as an artifact, as a whole, once two scans find it unchanged. */
function createReplacingSender(firstGeneration: number, store: PartStore): FileSender {
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
      const put = await withFile(file, (handle) => putParts(handle, size, store));
      if (sent !== undefined) generation += 1;
      store.discard(parts.map((part) => part.number));
      parts = put ?? [];
      sent = signature;
      return true;
    },
  };
}

/** One part can be sent within the time that a server allows for a request, also over a slow line. */
const maxPartBytes = 4 * 1024 * 1024;

async function putParts(handle: FileHandle, size: number, store: PartStore): Promise<readonly FilePart[]> {
  const parts: FilePart[] = [];
  for (let start = 0; start < size; start += maxPartBytes) {
    const end = Math.min(start + maxPartBytes, size);
    const number = await store.putStream(handle.createReadStream({ start, end: end - 1, autoClose: false }));
    parts.push({ number, bytes: end - start, level: 0 });
  }
  return parts;
}
