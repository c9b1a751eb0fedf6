import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

export type DocNode = Schemas['DocTreeNodeResponse'];

/** The documents as a tree; its first level has pages, of which the interface reads the largest. */
export const docTreeQuery = queryOptions<Schemas['DocListResponse'], Failure>({
  queryKey: ['docs', 'tree'],
  queryFn: ({ signal }) => unwrap(api.GET('/docs', { params: { query: { perPage: 200 } }, signal })),
});

export interface Doc extends Readonly<Schemas['DocResponse']> {
  /** The revision that prevents a change from overwriting another one. */
  readonly revision: string | null;
}

export function docQuery(path: string) {
  return queryOptions<Doc, Failure>({
    queryKey: ['docs', 'doc', path],
    queryFn: async ({ signal }) => {
      const answer = api.GET('/docs/doc', { params: { query: { path } }, signal });
      const doc = await unwrap(answer);
      const { response } = await answer;
      return { ...doc, revision: response.headers.get('etag') };
    },
  });
}

/** Returns how many lines the front matter takes. */
export function headLinesOf(content: string): number {
  return content.slice(0, content.length - bodyOf(content).length).split('\n').length - 1;
}

/** The Markdown without its front matter. */
export function bodyOf(content: string): string {
  return content.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '');
}
