import type { S3Client } from '@aws-sdk/client-s3';
import type { JsonObject } from '@weir/workflow-spec';
import { checkSettings } from '@weir/workflow-spec/actions';
import type { ObjectGlob } from '@weir/workflow-spec/text';
import { actionFailed } from '../../model/steps/action-errors';
import { listPages, withS3 } from './s3-session';

export interface FoundObject {
  readonly key: string;
  /** Without quotation marks. */
  readonly etag: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

export interface FoundObjects {
  readonly objects: readonly FoundObject[];
  /** Whether all that match are there. */
  readonly isComplete: boolean;
  /** The time of the store; `undefined` when it does not say. */
  readonly storeTime: Date | undefined;
}

export interface FindObjectsOptions {
  /** As `s3.list` has them, without references; nothing is taken from the environment or the server. */
  readonly settings: JsonObject;
  readonly glob: ObjectGlob;
  /** Objects that match; further ones are left out. */
  readonly maxObjects: number;
  /** Requests, each of which lists 1,000 objects with the prefix. */
  readonly maxPages: number;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/**
 * Lists the objects of a store that match. Throws `action_failed` with a message that holds no setting; its cause may
 * quote settings, and must not be logged.
 */
export async function findObjects(options: FindObjectsOptions): Promise<FoundObjects> {
  const { glob, maxObjects, maxPages, deadlineMs, signal } = options;
  const given = { ...options.settings, bucket: glob.bucket, timeout: `${deadlineMs}ms` };
  const checked = checkSettings('s3.list', given);
  if ('problems' in checked) throw actionFailed(`s3: ${checked.problems.join('; ')}`);
  const surroundings = { call: { env: {} }, signal, log: { note: () => undefined } };
  return withS3(surroundings, checked.settings, async (session) => {
    const objects: FoundObject[] = [];
    const readTime = watchStoreTime(session.client);
    const listing = { prefix: glob.prefix, delimiter: glob.isFlat ? '/' : undefined };
    let pages = 0;
    let isComplete = true;
    for await (const { Contents: contents = [], IsTruncated: isTruncated } of listPages(session, listing)) {
      for (const { Key: key = '', ETag: etag = '', Size: size = 0, LastModified: modifiedAt } of contents) {
        // A key that ends like a folder is what consoles store for an empty one.
        if (modifiedAt === undefined || key.endsWith('/') || !glob.matches(key)) continue;
        if (objects.length < maxObjects) objects.push({ key, etag: etag.replaceAll('"', ''), size, modifiedAt });
        else isComplete = false;
      }
      pages += 1;
      if (isTruncated === true && pages === maxPages) isComplete = false;
      if (!isComplete) break;
    }
    return { objects, isComplete, storeTime: readTime() };
  });
}

/** The library keeps the headers of a response to itself. */
function watchStoreTime(client: S3Client): () => Date | undefined {
  let last: string | undefined;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      last = dateOf(result.response) ?? last;
      return result;
    },
    { step: 'deserialize', name: 'watchStoreTime', priority: 'low' },
  );
  return () => {
    const time = new Date(last ?? '');
    return Number.isNaN(time.getTime()) ? undefined : time;
  };
}

function dateOf(response: unknown): string | undefined {
  if (typeof response !== 'object' || response === null || !('headers' in response)) return undefined;
  const { headers } = response;
  if (typeof headers !== 'object' || headers === null || !('date' in headers)) return undefined;
  return typeof headers.date === 'string' ? headers.date : undefined;
}
