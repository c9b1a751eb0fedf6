import { createHash } from 'node:crypto';

/** The hash by which git knows a content, so that files are compared with a repository without reading it. */
export function gitHash(text: string): string {
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
