import { createHash } from 'node:crypto';
import { AppError } from '@weir/foundation';

/** Returns the entity tag of a text; only equal texts have equal tags. */
export function toEntityTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/** Throws `revision_changed` unless `If-Match` is missing, or names the current revision. */
export function assertRevision(ifMatch: string | undefined, current: string): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  // A weak tag never matches, because it promises less than equal texts. Some proxies weaken a tag when they compress the answer.
  if (tags.includes('*') || tags.includes(current)) return;
  throw revisionChanged();
}

export function revisionChanged(): AppError {
  return new AppError('precondition_failed', 'It was changed since it was read. Read it again and repeat the change.', {
    reason: 'revision_changed',
  });
}
