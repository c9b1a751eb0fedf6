import { constants, openAsBlob } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { detectMimeType } from 'nodemailer/lib/mime-funcs/mime-types';
import type { JsonValue } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionCall } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { namingSetting } from '../../host/files/file-errors';

/** The body of a request and its content type; empty when there is no body. Files are read while they are sent. */
export interface RequestBody {
  readonly body?: Blob;
  readonly contentType?: string;
}

const maxBodyBytes = 1_073_741_824;

type BodySettings = Pick<SettingsFor<'http.request'>, 'body' | 'form' | 'files'>;

/** Builds the body from `body`, or from the fields of `form` and the files of `files`. */
export async function buildBody(call: ActionCall, { body, form, files }: BodySettings): Promise<RequestBody> {
  if (body !== undefined) return encodeBody(body);
  if (files !== undefined) return buildMultipart(call, form ?? {}, files);
  if (form === undefined) return {};
  return {
    body: new Blob([new URLSearchParams(form).toString()]),
    contentType: 'application/x-www-form-urlencoded',
  };
}

/** A string unchanged, any other value as JSON. */
export function encodeBody(body: JsonValue): RequestBody {
  if (typeof body === 'string') return { body: new Blob([body]) };
  return { body: new Blob([JSON.stringify(body)]), contentType: 'application/json' };
}

/** The platform would read the files into memory to encode a form whose length is known in advance. */
async function buildMultipart(
  call: ActionCall,
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, readonly string[]>>,
): Promise<RequestBody> {
  const boundary = `weir-${crypto.randomUUID()}`;
  const parts: (string | Blob)[] = [];
  const add = (head: string, content: string | Blob) =>
    parts.push(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`, content, '\r\n');
  for (const [name, value] of Object.entries(fields)) add(`name="${quoted(name)}"`, value.replace(/\r?\n|\r/g, '\r\n'));
  let left = maxBodyBytes;
  for (const [name, paths] of Object.entries(files)) {
    for (const path of paths) {
      const file = await openFile(actionPath(call, path));
      left -= file.size;
      if (left < 0) throw actionFailed(`files contains more than ${maxBodyBytes} bytes.`);
      const head = `name="${quoted(name)}"; filename="${quoted(basename(path))}"`;
      add(`${head}\r\nContent-Type: ${detectMimeType(basename(path))}`, file);
    }
  }
  parts.push(`--${boundary}--\r\n`);
  return { body: new Blob(parts), contentType: `multipart/form-data; boundary=${boundary}` };
}

function openFile(file: string): Promise<Blob> {
  return namingSetting('files', async () => {
    // Opening says nothing of what is wrong, and would wait for the writer of a pipe, which has no length either.
    if (!(await stat(file)).isFile()) throw actionFailed('files is not a regular file.');
    await access(file, constants.R_OK);
    return openAsBlob(file);
  });
}

/** As browsers write the name of a field or file. */
function quoted(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
