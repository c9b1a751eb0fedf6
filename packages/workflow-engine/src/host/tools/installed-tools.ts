import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAppError, isSystemError } from '@weir/foundation';
import type { Tool, ToolProvider } from '@weir/workflow-spec';
import { errorCode } from '../files/error-code';
import type { FileLocks } from '../file-locks/file-locks';
import type { Clock } from '../../model/ports/clock';
import { hashTree } from './hash-tree';
import { toolFailed } from './tool-errors';
import type { ToolDriver, ToolInstaller } from './tool-installer';

export interface InstalledToolsOptions {
  /** The folder in which tools are installed; steps can see it. */
  readonly folder: string;
  /** The folder that records which tools were installed; steps cannot see it. */
  readonly records: string;
  readonly locks: FileLocks;
  readonly drivers: Readonly<Record<ToolProvider, ToolDriver>>;
  readonly clock: Clock;
  /** After which a tool that no run has used is removed. */
  readonly maxAgeMs: number;
}

const timeoutMs = 900_000;
const maxDownloadBytes = 1_073_741_824;
const maxBytes = 4_294_967_296;

/**
 * Tools in a folder by what they are locked to. A record with the hash of all that was installed is written last: what
 * a crash has left, and what a step has changed, is installed again.
 */
export function createInstalledTools(options: InstalledToolsOptions): ToolInstaller {
  const { locks } = options;
  return {
    install: async (tools, signal) => {
      const limit = AbortSignal.timeout(timeoutMs);
      const either = AbortSignal.any([signal, limit]);
      const folders: string[] = [];
      for (const tool of tools) {
        const id = toId(tool);
        const install = () =>
          locks.hold([`tool:${id}`], either, () => ensure(tool, { ...options, id, signal: either }));
        folders.push(join(await naming(tool, install, limit), 'bin'));
      }
      await removeUnused(options);
      return folders;
    },
  };
}

interface Place extends InstalledToolsOptions {
  readonly id: string;
  readonly signal: AbortSignal;
}

async function ensure(tool: Tool, place: Place): Promise<string> {
  const { id, signal, records, drivers, clock } = place;
  const folder = join(place.folder, id);
  const record = join(records, id);
  const bound = { maxBytes, signal };
  const wanted = await readFile(record, 'utf8').catch(() => undefined);
  if (wanted !== undefined && (await isAsInstalled(folder, wanted, bound))) {
    await utimes(record, clock.now(), clock.now());
    return folder;
  }
  await rm(record, { force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await mkdir(records, { recursive: true, mode: 0o700 });
  await drivers[tool.provider]({ tool, folder, signal, maxDownloadBytes, maxBytes });
  const hash = await hashTree(folder, bound);
  await writeFile(`${record}.part`, hash, { mode: 0o600, flush: true });
  await rename(`${record}.part`, record);
  return folder;
}

async function isAsInstalled(folder: string, wanted: string, bound: Parameters<typeof hashTree>[1]): Promise<boolean> {
  try {
    return (await hashTree(folder, bound)) === wanted;
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'EACCES') || isAppError(error)) return false;
    throw error;
  }
}

/** A tool that a run uses now was used less than a day ago. */
async function removeUnused({ folder, records, clock, maxAgeMs, locks }: InstalledToolsOptions): Promise<void> {
  const usedBefore = clock.now().getTime() - Math.max(maxAgeMs, 86_400_000);
  for (const id of await readdir(records)) {
    const record = join(records, id);
    const isUnused = async () => ((await stat(record).catch(() => undefined))?.mtimeMs ?? usedBefore) < usedBefore;
    if (!(await isUnused())) continue;
    await locks.hold([`tool:${id}`], AbortSignal.timeout(1_000), async () => {
      if (!(await isUnused())) return;
      await rm(record, { force: true });
      await rm(join(folder, id), { recursive: true, force: true });
    });
  }
}

function toId(tool: Tool): string {
  const { provider, name, version, checksum, url = '', path = '' } = tool;
  const parts = [process.platform, process.arch, provider, name, version, checksum, url, path];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  return `${name.replaceAll(/[^A-Za-z0-9.-]/g, '_')}-${hash}`;
}

async function naming<T>({ name, version }: Tool, install: () => Promise<T>, limit: AbortSignal): Promise<T> {
  const what = `The tool ${JSON.stringify(`${name}@${version}`)} was not installed`;
  try {
    return await install();
  } catch (error) {
    if (limit.aborted) throw toolFailed(`${what}: there was no end within ${timeoutMs / 1000} seconds.`, error);
    if (isAppError(error)) throw toolFailed(`${what}: ${error.message}`, error);
    const code = errorCode(error);
    if (code !== undefined && code !== 'ABORT_ERR') throw toolFailed(`${what} (${code}).`, error);
    throw error;
  }
}
