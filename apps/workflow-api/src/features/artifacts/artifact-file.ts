import { isSystemError } from '@weir/foundation';
import type { FileAnswer } from '@weir/http-contract';
import type { ArtifactPreviewResponse } from '@weir/workflow-contract/schemas';
import { readStored, type RunFolder, type StoredFile } from '../../run-files';
import { artifactNotFound } from './artifact-errors';
import { detectArtifactKind } from './artifact-kind';

const maxTextBytes = 2 * 1024 * 1024;
const maxImageBytes = 5 * 1024 * 1024;
const sniffedBytes = 8_192;
const missing = ['ENAMETOOLONG', 'EACCES'] as const;

/** Returns the text of an artifact, where it has one that can be shown. Throws `artifact_not_found`. */
export async function previewArtifact(root: RunFolder, relative: string): Promise<ArtifactPreviewResponse> {
  const file = await openArtifact(root, relative);
  const { size } = file;
  try {
    const name = getBaseName(relative);
    const isWhole = size <= maxTextBytes;
    const content = await file.read(0, isWhole ? size : sniffedBytes);
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
      truncated: isShown && (await root.sizeOf(relative)) > size,
      ...(isShown ? { content: content.toString('utf8') } : {}),
    };
  } finally {
    await file.close();
  }
}

/** Returns the file with its current length. Throws `artifact_not_found`. */
export async function downloadArtifact(root: RunFolder, relative: string): Promise<FileAnswer> {
  const file = await openArtifact(root, relative);
  return {
    name: getBaseName(relative),
    size: file.size,
    read: (range) => readStored(file, range),
    close: () => file.close(),
  };
}

async function openArtifact(root: RunFolder, relative: string): Promise<StoredFile> {
  const file = await openFile(root, relative);
  if (file === undefined) throw artifactNotFound();
  return file;
}

async function openFile(root: RunFolder, relative: string): Promise<StoredFile | undefined> {
  try {
    return await root.open(relative);
  } catch (error) {
    if (missing.some((code) => isSystemError(error, code))) return undefined;
    throw error;
  }
}

function getBaseName(relative: string): string {
  return (
    relative
      .split('/')
      .filter((name) => name !== '')
      .at(-1) ?? relative
  );
}
