import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describeUnless, findObjectStore, startObjectStore, type ObjectStore } from '@weir/test-kit';
import { compileObjectGlob } from '@weir/workflow-spec/text';
import { findObjects } from './find-objects';

const { python = '', missing } = findObjectStore();

describeUnless(missing, 'no object was listed')('findObjects', () => {
  let store: ObjectStore;
  let client: S3Client;

  beforeAll(async () => {
    store = await startObjectStore(python);
    const credentials = { accessKeyId: 'user', secretAccessKey: 'hunter2' };
    client = new S3Client({ endpoint: store.endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: 'bucket' }));
  }, 100_000);
  afterAll(async () => {
    client.destroy();
    await store.stop();
  });

  const put = (key: string, content: string) =>
    client.send(new PutObjectCommand({ Bucket: 'bucket', Key: key, Body: content }));
  const find = async (files: string) => {
    const glob = compileObjectGlob(files);
    if (glob === undefined) throw new Error(`${files} names no objects.`);
    const settings = { endpoint: store.endpoint, access_key_id: 'user', secret_access_key: 'hunter2' };
    const { signal } = new AbortController();
    return findObjects({ settings, glob, maxObjects: 10, maxPages: 10, deadlineMs: 10_000, signal });
  };

  it('lists the objects that match, each with its content and its times by the clock of the store', async () => {
    const { ETag: first } = await put('in/a b+ü.csv', '1');
    await put('in/deep/b.csv', '22');
    for (const other of ['in/', 'in/a.txt', 'other/a.csv']) await put(other, 'x');

    const { objects, isComplete, storeTime } = await find('s3://bucket/in/*.csv');
    expect({ objects, isComplete }).toEqual({
      objects: [
        { key: 'in/a b+ü.csv', etag: first?.replaceAll('"', ''), size: 1, modifiedAt: expect.any(Date) as Date },
      ],
      isComplete: true,
    });
    const age = (storeTime?.getTime() ?? Number.NaN) - (objects[0]?.modifiedAt.getTime() ?? Number.NaN);
    expect(Math.abs(age)).toBeLessThan(60_000);
    const found = await find('s3://bucket/in/**');
    expect(found.objects.map(({ key }) => key)).toEqual(['in/a b+ü.csv', 'in/a.txt', 'in/deep/b.csv']);

    const { ETag: second } = await put('in/a b+ü.csv', '2');
    expect(second).not.toBe(first);
    expect((await find('s3://bucket/in/a*.csv')).objects).toMatchObject([{ etag: second?.replaceAll('"', '') }]);
  });

  it('says why a store refuses, without the credentials', async () => {
    await expect(find('s3://nobody/*')).rejects.toThrow('The store refused this (NoSuchBucket, status 404).');
    // From now on the store refuses those that it does not know.
    await fetch(`${store.endpoint}/moto-api/reset-auth`, { method: 'POST', body: '0' });
    await expect(find('s3://bucket/*')).rejects.toThrow('The store refused this (InvalidAccessKeyId, status 403).');
  });
});
