import type { DagRevision as WireRevision } from '@weir/workflow-contract/schemas';
import { z } from 'zod';
import { createPageCursors, listHash } from '../../http/page-cursor';
import type { DagRevision } from './dag-revision';
import type { RevisionReader } from './revision-reader';

/** A cursor is the number of the last revision on the page before. */
const cursors = createPageCursors(z.int());

/** Presents a page of the revisions of a file. Throws `cursor_invalid`. */
export function presentRevisionPage(
  revisions: readonly DagRevision[],
  { file, cursor, limit }: { readonly file: string; readonly cursor?: string | undefined; readonly limit: number },
) {
  const hash = listHash(['dag revisions', file]);
  const after = cursor === undefined ? Infinity : cursors.read(cursor, hash);
  const rest = revisions.filter(({ number }) => number < after);
  const page = rest.slice(0, limit);
  const last = rest.length > page.length ? page.at(-1) : undefined;
  return {
    revisions: page.map(presentRevision),
    ...(last === undefined ? {} : { nextCursor: cursors.write(hash, last.number) }),
  };
}

export function presentRevisionDiff({ from, to, diff, isMinimal }: Awaited<ReturnType<RevisionReader['compare']>>) {
  return {
    ...(from === undefined ? {} : { from: presentRevision(from) }),
    to: presentRevision(to),
    diff,
    minimal: isMinimal,
  };
}

export function presentRevision({ number, change, author, createdAt, hash }: DagRevision): WireRevision {
  return {
    revision: number,
    change,
    createdAt: createdAt.toISOString(),
    ...(author === null ? {} : { author }),
    ...(hash === null ? {} : { hash }),
  };
}
