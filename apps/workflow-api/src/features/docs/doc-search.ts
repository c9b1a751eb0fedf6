import type { WorkspaceQuery } from '@weir/workflow-contract';
import type { Principal } from '../../access/principal';
import { compareTexts } from '../dags';
import { collectMatches, findMatches, readSearchCursor, searchHash, writeSearchCursor } from '../search';
import type { DocEntry, DocFiles } from './doc-files';
import type { DocAddress } from './doc-scope';
import type { DocService } from './doc-service';
import { readFrontMatter, type FrontMatter } from './front-matter';

export interface DocSearch extends WorkspaceQuery {
  readonly q: string;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface FoundDoc extends FrontMatter {
  readonly address: DocAddress;
  readonly matches: ReturnType<typeof findMatches>['matches'];
  readonly hasMore: boolean;
  readonly nextMatchesCursor: string | undefined;
}

const maxResults = 1000;
const maxMatches = 50;

export type DocSearchService = ReturnType<typeof createDocSearch>;

/** Searches the texts of visible documents, in the order of their paths. */
export function createDocSearch({ docs, docFiles }: { readonly docs: DocService; readonly docFiles: DocFiles }) {
  const search = async (
    query: Omit<DocSearch, 'cursor'> & { readonly matchLimit: number; readonly afterId: string },
    principal: Principal,
    signal?: AbortSignal,
  ) => {
    const { q, limit, matchLimit, afterId } = query;
    const { scope, entries } = await docs.list(query, principal, signal);
    const sorted = entries.filter(({ id }) => id > afterId).toSorted((a, b) => compareTexts(a.id, b.id));
    const readText = async ({ id }: DocEntry): Promise<string> => (await docFiles.read(id))?.text ?? '';
    const found = await collectMatches(sorted, readText, { q, limit, matchLimit, signal });
    const results: FoundDoc[] = [];
    for (const { item, matches, hasMore } of found.slice(0, limit)) {
      const nextMatchesCursor = nextCursor(matchHash(q, item.id), hasMore, matches);
      const frontMatter = readFrontMatter(await readText(item));
      results.push({ address: scope.show(item.id), matches, hasMore, nextMatchesCursor, ...frontMatter });
    }
    return { results, hasMore: found.length > limit };
  };

  return {
    /** Searches the first 1,000 documents. Throws `workspace_not_found`. */
    async all(query: Pick<DocSearch, 'q'> & WorkspaceQuery, principal: Principal, signal?: AbortSignal) {
      const options = { ...query, limit: maxResults, matchLimit: maxMatches, afterId: '' };
      return (await search(options, principal, signal)).results;
    },

    /** Returns a page of documents with the first match of each. Throws also `cursor_invalid`. */
    async feed(query: DocSearch, principal: Principal, signal?: AbortSignal) {
      const { q, workspace, workspaceScope, cursor } = query;
      const hash = searchHash({ docs: true, q, workspace, workspaceScope });
      const after = cursor === undefined ? undefined : readSearchCursor(cursor, hash);
      const afterId = Array.isArray(after) ? after[0] : '';
      const { results, hasMore } = await search({ ...query, matchLimit: 1, afterId }, principal, signal);
      const last = hasMore ? results.at(-1) : undefined;
      return { results, nextCursor: last && writeSearchCursor(hash, [last.address.id, '']) };
    },

    /** Returns a page of the matches of one document. Throws also `doc_not_found`. */
    async matches(path: string, query: DocSearch, principal: Principal) {
      const { address, file } = await docs.get(path, query, principal);
      const hash = matchHash(query.q, address.id);
      const after = query.cursor === undefined ? 0 : readSearchCursor(query.cursor, hash);
      const afterLine = typeof after === 'number' ? after : 0;
      const found = findMatches(file.text, query.q, { afterLine, limit: query.limit });
      return { ...found, nextCursor: nextCursor(hash, found.hasMore, found.matches) };
    },
  };
}

function matchHash(q: string, id: string): string {
  return searchHash({ docs: true, q, id });
}

function nextCursor(hash: string, hasMore: boolean, matches: FoundDoc['matches']): string | undefined {
  const last = matches.at(-1);
  return hasMore && last !== undefined ? writeSearchCursor(hash, last.lineNumber) : undefined;
}
