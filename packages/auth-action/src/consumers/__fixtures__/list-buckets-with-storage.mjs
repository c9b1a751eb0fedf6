// A step of a user: lists buckets by default credentials, with the storage client.
import process, { env } from 'node:process';
import { Storage } from '@google-cloud/storage';

const { STORAGE_ENDPOINT: apiEndpoint, UNIVERSE: universeDomain } = env;

try {
  const storage = new Storage({
    ...(apiEndpoint && { apiEndpoint, useAuthWithCustomEndpoint: true }),
    ...(universeDomain && { universeDomain }),
  });
  const [buckets] = await storage.getBuckets();
  console.log('buckets:', buckets.map(({ name }) => name).join(' '));
} catch ({ message }) {
  // The error itself is hundreds of lines.
  console.error(message);
  process.exitCode = 1;
}
