import type { ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import type { ActionExecutor } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { publishValues } from '../call/publish-values';
import { listPages, withS3, type S3Session } from './s3-session';

const defaultMaxKeys = 1_000;

export const s3List: ActionExecutor<'s3.list'> = (work) => {
  const { call, settings, log } = work;
  const { prefix = '', delimiter, max_keys: maxKeys = defaultMaxKeys, output_format: format = 'jsonl' } = settings;
  return withS3(work, settings, async (session) => {
    const found: Entry[] = [];
    let isTruncated = false;
    for await (const page of listPages(session, { prefix, delimiter, maxKeys })) {
      const entries = toEntries(page);
      isTruncated = page.IsTruncated === true || found.length + entries.length > maxKeys;
      found.push(...entries.slice(0, maxKeys - found.length));
      if (found.length >= maxKeys) break;
    }
    if (format === 'json') log.line(JSON.stringify(found));
    else for (const each of found) log.line(format === 'raw' ? each.key : JSON.stringify(each));
    return publishValues({ count: found.length, truncated: isTruncated }, call.maxOutputBytes);
  });
};

export const s3Delete: ActionExecutor<'s3.delete'> = (work) => {
  const { call, settings, log } = work;
  const { key, prefix = '', dry_run: isDry } = settings;
  return withS3(work, settings, async (session) => {
    const pages = key === undefined ? keyPages(session, prefix) : [[key]];
    let count = 0;
    for await (const keys of pages) {
      for (const each of keys) log.line(`${isDry === true ? 'would delete' : 'deleting'} ${each}`);
      if (isDry !== true) await deleteKeys(session, keys);
      count += keys.length;
    }
    return publishValues({ deleted: isDry === true ? 0 : count }, call.maxOutputBytes);
  });
};

async function* keyPages(session: S3Session, prefix: string): AsyncGenerator<readonly string[]> {
  for await (const { Contents: contents = [] } of listPages(session, { prefix })) {
    const keys = contents.flatMap(({ Key: key }) => key ?? []);
    if (keys.length > 0) yield keys;
  }
}

/** An object in the form in which it is printed. */
interface Entry {
  readonly key: string;
  readonly kind: 'object' | 'prefix';
  readonly size?: number;
  readonly modified_at?: string | null;
  readonly etag?: string;
}

function toEntries({ Contents: contents = [], CommonPrefixes: prefixes = [] }: ListObjectsV2CommandOutput): Entry[] {
  return [
    ...prefixes.map(({ Prefix: key = '' }) => ({ key, kind: 'prefix' as const })),
    ...contents.map(({ Key: key = '', Size: size = 0, LastModified: at, ETag: etag = '' }) => ({
      key,
      kind: 'object' as const,
      size,
      modified_at: at?.toISOString() ?? null,
      etag: etag.replace(/^"(.*)"$/, '$1'),
    })),
  ];
}

/** Deletes the keys of a page in one request. */
async function deleteKeys({ client, bucket, signal }: S3Session, keys: readonly string[]): Promise<void> {
  const { DeleteObjectsCommand } = await import('@aws-sdk/client-s3');
  const { Errors: errors = [] } = await client.send(
    new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true } }),
    { abortSignal: signal },
  );
  const [first] = errors;
  if (first !== undefined)
    throw actionFailed(`The store did not delete ${errors.length} objects (${first.Code ?? 'unknown'}).`);
}
