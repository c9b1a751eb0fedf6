// A step of a user: lists buckets by default credentials, with the library of the version in the first argument.
import process, { argv, env } from 'node:process';

const libraries = {
  9: () => import('google-auth-library-9'),
  10: () => import('google-auth-library-10'),
  11: () => import('google-auth-library'),
};

try {
  const { GoogleAuth } = await libraries[argv[2]]();
  const auth = new GoogleAuth({ scopes: 'https://www.googleapis.com/auth/cloud-platform' });
  const host = env.STORAGE_ENDPOINT ?? `https://storage.${await auth.getUniverseDomain()}`;
  const project = await auth.getProjectId();
  const client = await auth.getClient();
  const { data } = await client.request({ url: `${host}/storage/v1/b?project=${project}` });
  console.log('buckets:', data.items.map(({ name }) => name).join(' '));
} catch ({ message }) {
  // The error itself is hundreds of lines.
  console.error(message);
  process.exitCode = 1;
}
