import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { ObjectStoreOptions } from '../files/run-files';
import { storeUnavailable } from './store-errors';

export interface StoredObject {
  readonly key: string;
  /** The tag changes with the content. */
  readonly etag: string;
}

/** Accesses the objects of one bucket below a prefix. Every operation throws `store_unavailable`. */
export interface ObjectStorage {
  put(key: string, content: Uint8Array): Promise<void>;
  /** The content may have any size, and is read once. */
  putStream(key: string, content: Readable): Promise<void>;
  /** Returns `undefined` when the object does not exist. `to` is the last byte. */
  get(key: string, range?: { readonly from: number; readonly to: number }): Promise<Buffer | undefined>;
  /** Lists the objects in the order of their keys. */
  list(prefix: string): Promise<readonly StoredObject[]>;
  remove(keys: readonly string[]): Promise<void>;
  /** Whether the bucket can be listed. */
  isReachable(): Promise<boolean>;
  /** Returns the options with the credentials that are in use. */
  describe(): Promise<ObjectStoreOptions>;
}

const connectMs = 5_000;
/** A connection fails after this time without a byte in either direction. */
const silenceMs = 15_000;
const removedAtOnce = 8;

/** Accesses a bucket of a store with the interface of S3. The library is loaded on first use. */
export function createObjectStorage(options: ObjectStoreOptions): ObjectStorage {
  let opening: Promise<S3Client> | undefined;
  const open = (): Promise<S3Client> => (opening ??= createClient(options));
  const target = (key: string) => ({ Bucket: options.bucket, Key: `${options.prefix}${key}` });

  return {
    put: (key, content) =>
      translated(async () => {
        const { PutObjectCommand } = await import('@aws-sdk/client-s3');
        await (await open()).send(new PutObjectCommand({ ...target(key), Body: content }));
      }),

    putStream: (key, content) =>
      translated(async () => {
        const { Upload } = await import('@aws-sdk/lib-storage');
        await new Upload({ client: await open(), params: { ...target(key), Body: content }, queueSize: 1 }).done();
      }),

    get: (key, range) =>
      translated(async () => {
        const { GetObjectCommand, NoSuchKey } = await import('@aws-sdk/client-s3');
        const Range = range && `bytes=${range.from}-${range.to}`;
        try {
          const { Body } = await (await open()).send(new GetObjectCommand({ ...target(key), Range }));
          return Buffer.from((await Body?.transformToByteArray()) ?? []);
        } catch (error) {
          if (error instanceof NoSuchKey) return undefined;
          throw error;
        }
      }),

    list: (prefix) =>
      translated(async () => {
        const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3');
        const client = await open();
        const found: StoredObject[] = [];
        for await (const { Contents = [] } of paginateListObjectsV2(
          { client },
          { Bucket: options.bucket, Prefix: `${options.prefix}${prefix}` },
        )) {
          for (const { Key = '', ETag = '' } of Contents)
            found.push({ key: Key.slice(options.prefix.length), etag: ETag });
        }
        return found;
      }),

    remove: (keys) =>
      translated(async () => {
        const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
        const client = await open();
        // Objects are removed one by one, because not every store can remove several at once.
        for (let at = 0; at < keys.length; at += removedAtOnce) {
          const some = keys.slice(at, at + removedAtOnce);
          await Promise.all(some.map((key) => client.send(new DeleteObjectCommand(target(key)))));
        }
      }),

    isReachable: async () => canList(await open(), options),

    describe: () =>
      translated(async () => {
        const { accessKeyId: id, secretAccessKey: secret, sessionToken } = await (await open()).config.credentials();
        return { ...options, key: { id, secret, sessionToken } };
      }),
  };
}

async function canList(client: S3Client, { bucket, prefix }: ObjectStoreOptions): Promise<boolean> {
  const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
  return client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 })).then(
    () => true,
    () => false,
  );
}

async function createClient({ endpoint, region, key }: ObjectStoreOptions): Promise<S3Client> {
  const { S3Client: Client } = await import('@aws-sdk/client-s3');
  return new Client({
    region,
    ...(key && {
      credentials: {
        accessKeyId: key.id,
        secretAccessKey: key.secret,
        ...(key.sessionToken === undefined ? {} : { sessionToken: key.sessionToken }),
      },
    }),
    ignoreConfiguredEndpointUrls: true,
    // Other stores support host names of buckets and these checksums less often than AWS.
    ...(endpoint === undefined
      ? {}
      : {
          endpoint,
          forcePathStyle: true,
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
        }),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: connectMs, requestTimeout: silenceMs, throwOnRequestTimeout: true },
  });
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeUnavailable(error);
  }
}
