import { basename } from 'node:path';
import type { JsonValue } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionCall } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { readWhole } from '../files/read-whole';

/** The body of a request and its content type; empty when there is no body. */
export interface RequestBody {
  readonly body?: Buffer;
  readonly contentType?: string;
}

const maxBodyBytes = 100 * 1024 * 1024;

type BodySettings = Pick<SettingsFor<'http.request'>, 'body' | 'form' | 'files'>;

/** Builds the body from `body`, or from the fields of `form` and the files of `files`. */
export async function buildBody(call: ActionCall, { body, form, files }: BodySettings): Promise<RequestBody> {
  if (body !== undefined) return encodeBody(body);
  if (files !== undefined) return encodeMultipart(call, form ?? {}, files);
  if (form === undefined) return {};
  return {
    body: Buffer.from(new URLSearchParams(form).toString()),
    contentType: 'application/x-www-form-urlencoded',
  };
}

/** A string unchanged, any other value as JSON. */
export function encodeBody(body: JsonValue): RequestBody {
  if (typeof body === 'string') return { body: Buffer.from(body) };
  return { body: Buffer.from(JSON.stringify(body)), contentType: 'application/json' };
}

async function encodeMultipart(
  call: ActionCall,
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, readonly string[]>>,
): Promise<RequestBody> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  let left = maxBodyBytes;
  for (const [name, paths] of Object.entries(files)) {
    for (const path of paths) {
      const options = { setting: 'files', maxBytes: left, isLinkFollowed: true };
      const bytes = await readWhole(actionPath(call, path), options);
      left -= bytes.length;
      form.append(name, new Blob([new Uint8Array(bytes)]), basename(path));
    }
  }
  // The platform encodes the form, boundary included.
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type');
  if (contentType === null) throw actionFailed('The form could not be written.');
  return { body: Buffer.from(await encoded.arrayBuffer()), contentType };
}
