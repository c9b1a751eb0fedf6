import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { RunFileOptions } from '..';

const key = { id: 'user', secret: 'hunter2' };

/** Creates a bucket in a store, and returns the options to reach it. */
export async function createBucket(endpoint: string, bucket: string): Promise<RunFileOptions & { kind: 's3' }> {
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { kind: 's3', bucket, prefix: 'production/', region: 'us-east-1', endpoint, key };
}
