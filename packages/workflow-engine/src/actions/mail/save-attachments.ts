import { open, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isSystemError } from '@weir/foundation';
import type { ImapFlow } from 'imapflow';
import { confinedPath } from '../../host/artifacts/confined-path';
import { namingSetting } from '../../host/files/file-errors';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionWork } from '../call/action-executor';
import type { AttachmentPart, FoundAttachment } from './read-mail';

const maxFiles = 500;
const maxTotalBytes = 256 * 1024 * 1024;
const maxNameLength = 120;
const maxNumber = 10_000;

export type SaveAttachment = (client: ImapFlow, uid: number, part: AttachmentPart) => Promise<FoundAttachment>;

/** Saves attachments below `mail/STEP` of the artifacts, each with a number before its name. */
export function attachmentSaver({ call, signal }: Pick<ActionWork<'mail.search'>, 'call' | 'signal'>): SaveAttachment {
  const { artifactsDir, stepName = 'step' } = call;
  if (artifactsDir === undefined) throw actionFailed('save_attachments requires artifact storage.');
  const folder = `mail/${safeName(stepName)}`;
  let files = 0;
  let left = maxTotalBytes;
  return async (client, uid, { part, name, contentType }) => {
    files += 1;
    if (files > maxFiles) throw actionFailed(`The attachments are more than ${maxFiles}.`);
    const { content } = await client.download(String(uid), part, { uid: true, maxBytes: left + 1, decodeText: false });
    if (content === undefined) throw actionFailed('An attachment is no longer there.');
    const toName = (number: number): string => `${folder}/${number}-${safeName(name)}`;
    const { path, file } = await namingSetting('save_attachments', () => createFile(artifactsDir, toName));
    const stream = file.createWriteStream();
    await namingSetting('save_attachments', () => pipeline(content, stream, { signal }));
    const size = stream.bytesWritten;
    left -= size;
    if (left < 0) throw actionFailed(`The attachments are larger than ${maxTotalBytes} bytes together.`);
    return { name, content_type: contentType, size, path };
  };
}

/** A new file: iterations of a loop and repeated attempts save into the same folder. */
async function createFile(
  artifactsDir: string,
  toName: (number: number) => string,
): Promise<{ readonly path: string; readonly file: FileHandle }> {
  for (let number = 1; number <= maxNumber; number += 1) {
    const target = await confinedPath(artifactsDir, toName(number), { makesFolders: true });
    if ('problem' in target) throw actionFailed(`The folder of the attachments ${target.problem}.`);
    try {
      return { path: target.path, file: await open(target.path, 'wx', 0o600) };
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error;
    }
  }
  throw actionFailed(`The artifacts hold ${maxNumber} attachments of one name.`);
}

/** Letters, digits and a few signs; never hidden, and never a folder. */
function safeName(name: string): string {
  const safe = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._ -]+/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const end = /\.[\w-]{1,16}$/.exec(safe)?.[0] ?? '';
  const isLong = Buffer.byteLength(safe) > maxNameLength;
  return (isLong ? `${cutBytes(safe, maxNameLength - end.length)}${end}` : safe) || 'attachment';
}

function cutBytes(text: string, length: number): string {
  return Buffer.from(text)
    .subarray(0, length)
    .toString()
    .replace(/\uFFFD+$/, '');
}
