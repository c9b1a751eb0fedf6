import type { CreateMultipartUploadCommandOutput } from '@aws-sdk/client-s3';
import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { untilAborted } from '@weir/foundation';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionExecutor } from '../call/action-executor';
import { actionPath } from '../../host/files/action-paths';
import { namingSetting } from '../../host/files/file-errors';
import { findStats } from '../../host/files/file-info';
import { limitBytes } from '../files/limit-bytes';
import { makeFoldersAbove, viaTemporaryFile } from '../files/write-whole';
import { publishValues } from '../call/publish-values';
import { withS3, type S3Session } from './s3-session';

const megabyte = 1_048_576;
const defaultPartMb = 10;
const defaultConcurrency = 5;
/** Limits the buffers of all parts that are transferred at once. */
const maxBufferedMb = 256;
/** The maximum number of parts of one object. */
const maxParts = 10_000;
/** The longest wait for the removal of what an upload has left. */
const removalMs = 10_000;
const defaultMaxBytes = 10_737_418_240;

export const s3Upload: ActionExecutor<'s3.upload'> = async (work) => {
  const { call, settings, log } = work;
  const source = actionPath(call, settings.source);
  const size = await namingSetting('source', () => fileSize(source));
  const { part_size: partMb = defaultPartMb, concurrency = defaultConcurrency } = settings;
  const partSize = Math.max(partMb * megabyte, Math.ceil(size / maxParts));
  const queueSize = Math.max(1, Math.min(concurrency, Math.floor((maxBufferedMb * megabyte) / partSize)));
  return withS3(work, settings, async ({ client, bucket, signal }) => {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const parts = watchParts(client, { Bucket: bucket, Key: settings.key });
    const params = {
      Bucket: bucket,
      Key: settings.key,
      Body: createReadStream(source),
      ContentType: settings.content_type,
      CacheControl: settings.cache_control,
      Metadata: settings.metadata,
      // The store checks these words; each has its own.
      StorageClass: settings.storage_class as 'STANDARD' | undefined,
      ServerSideEncryption: settings.server_side_encryption,
    };
    const upload = new Upload({ client, params, partSize, queueSize, leavePartsOnError: true });
    const onAbort = (): void => void upload.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      const { ETag: etag = '', VersionId: version } = await upload.done();
      log.line(`stored ${size} bytes`);
      const result = { bucket, key: settings.key, bytes: size, etag: unquote(etag) };
      return publishValues(version === undefined ? result : { ...result, version }, call.maxOutputBytes);
    } catch (error) {
      await parts.remove().catch(() => log.note('the store may have kept parts of the object'));
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      params.Body.destroy();
    }
  });
};

/**
 * Removes what the store has of an upload that does not end. The library does not wait for its own removal, and knows
 * of no upload whose creation has not been answered yet.
 */
function watchParts(client: S3Session['client'], place: { readonly Bucket: string; readonly Key: string }) {
  let created: Promise<string | undefined> | undefined;
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const answer = next(args);
        if (commandName === 'CreateMultipartUploadCommand') {
          created = answer.then(
            ({ output }) => (output as CreateMultipartUploadCommandOutput).UploadId,
            () => undefined,
          );
        }
        return answer;
      },
    { step: 'initialize' },
  );
  return {
    remove: async (): Promise<void> => {
      const deadline = AbortSignal.timeout(removalMs);
      const UploadId = created && (await untilAborted(created, deadline));
      if (UploadId === undefined) return;
      // A part that arrives after the removal would stay, so those under way are cut off first.
      client.destroy();
      const { AbortMultipartUploadCommand } = await import('@aws-sdk/client-s3');
      await client.send(new AbortMultipartUploadCommand({ ...place, UploadId }), { abortSignal: deadline });
    },
  };
}

export const s3Download: ActionExecutor<'s3.download'> = async (work) => {
  const { call, settings, log } = work;
  const destination = actionPath(call, settings.destination);
  return withS3(work, settings, async (session) => {
    const { body, etag } = await getObject(session, settings.key);
    const counted = limitBytes(settings.max_bytes ?? defaultMaxBytes, 'The object');
    await namingSetting('destination', async () => {
      await makeFoldersAbove(destination, { create_dirs: true });
      await viaTemporaryFile(destination, true, (part) =>
        pipeline(body, counted.stream, createWriteStream(part, { flags: 'wx' }), { signal: session.signal }),
      );
    });
    const bytes = counted.bytes();
    log.line(`received ${bytes} bytes`);
    return publishValues({ bucket: session.bucket, key: settings.key, bytes, etag }, call.maxOutputBytes);
  });
};

async function getObject({ client, bucket, signal }: S3Session, key: string) {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3');
  const { Body: body, ETag: etag = '' } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }), {
    abortSignal: signal,
  });
  if (body === undefined) throw actionFailed('The store has sent no object.');
  // In Node, the library always gives a stream of Node.
  return { body: body as Readable, etag: unquote(etag) };
}

async function fileSize(path: string): Promise<number> {
  const stats = await findStats(path, true);
  if (stats === undefined) throw actionFailed('source was not found (ENOENT).');
  if (!stats.isFile()) throw actionFailed('source is not a regular file.');
  return stats.size;
}

function unquote(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1');
}
