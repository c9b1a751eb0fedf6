import { mkdir } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { actionPath } from '../../host/files/action-paths';
import { namingSetting } from '../../host/files/file-errors';
import { findStats, toFileInfo } from '../../host/files/file-info';
import { walkFolder, type FoundFile } from '../files/walk-folder';
import { makeFoldersAbove, viaTemporaryFile } from '../files/write-whole';
import { publishValues } from '../call/publish-values';
import { chooseFormat, type ArchiveEntry, type ArchiveFormat, type Archiver } from '../../host/archives/archive';
import { isChosen, planUnpacking } from '../../host/archives/archive-plan';
import { createTarArchiver } from '../../host/archives/tar-archiver';
import { zipArchiver } from '../../host/archives/zip-archiver';

const defaultLevel = 6;
const defaultMaxBytes = 10_737_418_240;

export const archiveCreate: ActionExecutor<'archive.create'> = async (work) => {
  const { call, settings, signal, log } = work;
  const source = actionPath(call, settings.source, { isTree: true });
  const destination = actionPath(call, settings.destination);
  const archiver = chooseArchiver('destination', destination, settings);
  const { folder, found } = await namingSetting('source', () => findSource(source, signal));
  const entries = found
    .filter(({ path }) => isChosen(path, settings) && path !== relative(folder, destination))
    .map(toArchiveEntry);
  if (entries.length === 0) throw actionFailed('source contains nothing to pack.');
  if (settings.dry_run === true) {
    log.out(entries.map(({ path }) => `would pack ${path}\n`).join(''));
    return undefined;
  }
  const { password, compression_level: level = defaultLevel } = settings;
  await namingSetting('destination', async () => {
    await makeFoldersAbove(destination, settings);
    await viaTemporaryFile(destination, settings.overwrite === true, (file) =>
      archiver.pack({ folder, entries, file, level, password, signal }),
    );
  });
  const bytes = (await findStats(destination, true))?.size ?? 0;
  log.line(`packed ${entries.length} entries into ${bytes} bytes`);
  return publishValues({ entries: entries.length, bytes }, call.maxOutputBytes);
};

export const archiveExtract: ActionExecutor<'archive.extract'> = async (work) => {
  const { call, settings, signal, log } = work;
  const file = actionPath(call, settings.source);
  const folder = actionPath(call, settings.destination, { isTree: true });
  const archiver = chooseArchiver('source', file, settings);
  const { password, strip_components: strip = 0, max_bytes: maxBytes = defaultMaxBytes } = settings;
  const order = { file, password, signal };
  const all = await namingSetting('source', () => archiver.list(order));
  const plan = { ...settings, strip, isOverwriting: settings.overwrite === true, maxBytes };
  const planned = await namingSetting('destination', () => planUnpacking(all, folder, plan));
  if (settings.dry_run === true) {
    log.out(planned.map(({ place }) => `would unpack ${place}\n`).join(''));
    return undefined;
  }
  await namingSetting('destination', async () => {
    await mkdir(folder, { recursive: true });
    await archiver.unpack({ ...order, folder, strip, maxBytes, isWanted: (path) => isChosen(path, settings) });
  });
  const bytes = planned.reduce((sum, { size }) => sum + size, 0);
  log.line(`unpacked ${planned.length} entries of ${bytes} bytes`);
  return publishValues({ entries: planned.length, bytes }, call.maxOutputBytes);
};

export const archiveList: ActionExecutor<'archive.list'> = async ({ call, settings, signal, log }) => {
  const file = actionPath(call, settings.source);
  const archiver = chooseArchiver('source', file, settings);
  const all = await namingSetting('source', () => archiver.list({ file, password: undefined, signal }));
  const entries = all.filter(({ path }) => isChosen(path, settings));
  if (settings.output_format === 'json') log.line(JSON.stringify(entries.map(toListed)));
  else log.out(entries.map(({ path }) => `${path}\n`).join(''));
  return undefined;
};

type FormatSettings = Pick<ActionWork<'archive.create' | 'archive.extract'>['settings'], 'format' | 'password'>;

function chooseArchiver(setting: string, path: string, settings: FormatSettings): Archiver {
  const format: ArchiveFormat = chooseFormat(setting, path, settings.format);
  if (format === 'zip') return zipArchiver;
  if (settings.password !== undefined) throw actionFailed('Only zip archives can have a password.');
  return createTarArchiver(format);
}

/** Paths are relative to a folder that is packed, and to the folder of a file that is packed. */
async function findSource(source: string, signal: AbortSignal) {
  const stats = await findStats(source, true);
  if (stats === undefined) throw actionFailed('source was not found (ENOENT).');
  if (stats.isDirectory()) {
    const found = await walkFolder(source, { isRecursive: true, isLinkFollowed: false, signal });
    return { folder: source, found };
  }
  if (!stats.isFile()) throw actionFailed('source is neither a file nor a folder.');
  return { folder: dirname(source), found: [{ path: basename(source), ...toFileInfo(stats) }] };
}

function toArchiveEntry({ path, kind, size, mode }: FoundFile): ArchiveEntry {
  return { path, kind, size, mode: Number.parseInt(mode, 8) };
}

function toListed({ path, kind, size, mode, target }: ArchiveEntry) {
  return {
    path,
    kind,
    size,
    mode: mode?.toString(8).padStart(4, '0') ?? null,
    ...(target === undefined || target === '' ? {} : { target }),
  };
}
