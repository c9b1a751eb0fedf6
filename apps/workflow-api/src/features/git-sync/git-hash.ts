import { createHash } from 'node:crypto';

/** Returns the hash that git gives a content, so that files are compared with a repository without reading it. */
export function gitHash(text: string): string {
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
