import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { isSystemError } from '@weir/errors';
import type { FileAnswer } from '@weir/http-contract';
import type { ArtifactPreviewResponse } from '@weir/workflow-contract';
import { confinedPath } from '@weir/workflow-engine';
import { artifactNotFound } from './artifact-errors';
import { detectArtifactKind } from './artifact-kind';

// A link may lead anywhere, and a pipe must not make the server wait.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const maxTextBytes = 2 * 1024 * 1024;
const maxImageBytes = 5 * 1024 * 1024;
const sniffedBytes = 8_192;
const missing = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'ENAMETOOLONG', 'EACCES'] as const;

/** Its text, where it has one that can be shown. Throws `artifact_not_found`. */
export async function previewArtifact(root: string, relative: string): Promise<ArtifactPreviewResponse> {
  const { handle, size } = await openArtifact(root, relative);
  try {
    const name = getBaseName(relative);
    const isWhole = size <= maxTextBytes;
    const content = await readStart(handle, isWhole ? size : sniffedBytes);
    const { kind, mimeType } = detectArtifactKind(name, content);
    const isText = kind !== 'image' && kind !== 'binary';
    const isShown = isText && isWhole;
    return {
      name,
      path: relative,
      kind,
      mimeType,
      size,
      tooLarge: (isText && !isWhole) || (kind === 'image' && size > maxImageBytes),
      truncated: isShown && (await handle.stat()).size > size,
      ...(isShown ? { content: content.toString('utf8') } : {}),
    };
  } finally {
    await handle.close();
  }
}

/** The file with its current length. Throws `artifact_not_found`. */
export async function downloadArtifact(root: string, relative: string): Promise<FileAnswer> {
  const { handle, size } = await openArtifact(root, relative);
  return {
    name: getBaseName(relative),
    size,
    read: (range) => handle.createReadStream({ ...range, autoClose: false }),
    close: () => handle.close(),
  };
}

async function openArtifact(root: string, relative: string) {
  const confined = await confinedPath(root, relative, { makesFolders: false });
  if ('problem' in confined) throw artifactNotFound();
  const handle = await openFile(confined.path);
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, size: stats.size };
  await handle.close();
  throw artifactNotFound();
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, flags);
  } catch (error) {
    if (missing.some((code) => isSystemError(error, code))) throw artifactNotFound();
    throw error;
  }
}

async function readStart(handle: FileHandle, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let length = 0;
  while (length < bytes) {
    const { bytesRead } = await handle.read(buffer, length, bytes - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function getBaseName(relative: string): string {
  return (
    relative
      .split('/')
      .filter((name) => name !== '')
      .at(-1) ?? relative
  );
}
