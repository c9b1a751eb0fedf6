import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, lstat, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { planUnpacking } from '../archives/archive-plan';
import type { Archiver } from '../archives/archive';
import { createTarArchiver } from '../archives/tar-archiver';
import { zipArchiver } from '../archives/zip-archiver';
import { isSameHash, parseChecksum } from './checksum';
import { toolFailed } from './tool-errors';
import type { Installation, ToolDriver } from './tool-installer';

/** Downloads an executable or an archive. Nothing is unpacked before its checksum is known to be right. */
export const installFromUrl: ToolDriver = async (installation) => {
  const { tool, folder } = installation;
  const file = join(folder, 'download');
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await download(installation, file);
  const archiver = chooseArchiver(tool.url ?? '');
  if (archiver === undefined) {
    await rename(file, join(bin, tool.name));
    await chmod(join(bin, tool.name), 0o755);
    return;
  }
  await unpack(archiver, installation, file);
  await rm(file);
};

async function download({ tool, signal, maxDownloadBytes }: Installation, file: string): Promise<void> {
  const checksum = parseChecksum(tool.checksum);
  const response = await fetch(tool.url ?? '', { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw toolFailed('its address was not reached.', error);
  });
  if (!response.ok || response.body === null) throw toolFailed(`its address answered with ${response.status}.`);
  const hash = createHash(checksum.algorithm);
  let bytes = 0;
  const counted = new Transform({
    transform: (part: Buffer, _encoding, done) => {
      bytes += part.length;
      hash.update(part);
      if (bytes > maxDownloadBytes) done(toolFailed(`it is larger than ${maxDownloadBytes} bytes.`));
      else done(null, part);
    },
  });
  // The type of the web's stream is another one than Node's, though it is the same stream.
  await pipeline([Readable.fromWeb(response.body as never), counted, createWriteStream(file, { flags: 'wx' })], {
    signal,
  });
  if (!isSameHash(checksum, hash.digest())) {
    await rm(file);
    throw toolFailed('its checksum is another one.');
  }
}

function chooseArchiver(url: string): Archiver | undefined {
  const { pathname } = new URL(url);
  if (/\.(?:tar\.gz|tgz)$/i.test(pathname)) return createTarArchiver('tar.gz');
  return /\.zip$/i.test(pathname) ? zipArchiver : undefined;
}

async function unpack(archiver: Archiver, installation: Installation, file: string): Promise<void> {
  const { tool, folder, signal, maxBytes } = installation;
  const contents = join(folder, 'contents');
  await mkdir(contents);
  const order = { file, password: undefined, signal };
  const plan = { strip: 0, isOverwriting: true, maxBytes };
  await planUnpacking(await archiver.list(order), contents, plan);
  await archiver.unpack({ ...order, folder: contents, strip: 0, maxBytes, isWanted: () => true });
  const command = join(contents, tool.path ?? tool.name);
  const stats = await lstat(command).catch(() => undefined);
  if (stats?.isFile() !== true) throw toolFailed(`its archive has no file ${JSON.stringify(tool.path ?? tool.name)}.`);
  await chmod(command, 0o755);
  const bin = join(folder, 'bin');
  await symlink(relative(bin, command), join(bin, tool.name));
}
