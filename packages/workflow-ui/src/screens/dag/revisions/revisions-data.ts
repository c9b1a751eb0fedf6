import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

const shownRevisions = 100;

/** The newest revisions of a DAG. Their key begins like those of live data: they change with the DAG. */
export function revisionsQuery(fileName: string) {
  const query = { limit: shownRevisions };
  return queryOptions<Schemas['DAGRevisionsResponse'], Failure>({
    queryKey: ['live', 'revisions', fileName],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/dags/{fileName}/revisions', { params: { path: { fileName }, query }, signal })),
  });
}

export interface Comparison {
  readonly revision: number;
  /** Default: the previous revision. */
  readonly from?: number | undefined;
}

export interface RevisionTexts {
  readonly before: string;
  readonly after: string;
  /** Undefined for the first revision. */
  readonly beforeRevision: number | undefined;
}

/** Reads the texts of two revisions, and the number of the earlier one; undefined for the first revision of a DAG. */
export function revisionDiffQuery(fileName: string, { revision, from }: Comparison) {
  const textOf = async (number: number, signal: AbortSignal): Promise<string> => {
    const path = { fileName, revision: String(number) };
    return (await unwrap(api.GET('/dags/{fileName}/revisions/{revision}', { params: { path }, signal }))).spec;
  };
  const path = { fileName, revision: String(revision) };
  const query = from === undefined ? {} : { from };
  return queryOptions<RevisionTexts, Failure>({
    queryKey: ['revision-diff', fileName, revision, from],
    queryFn: async ({ signal }) => {
      const params = { path, query };
      const { from: earlier } = await unwrap(api.GET('/dags/{fileName}/revisions/{revision}/diff', { params, signal }));
      const [before, after] = await Promise.all([
        earlier === undefined ? '' : textOf(earlier.revision, signal),
        textOf(revision, signal),
      ]);
      return { before, after, beforeRevision: earlier?.revision };
    },
    placeholderData: keepPreviousData,
  });
}

/** Makes the text of a revision the present one of the DAG. */
export function useRestoreRevision(fileName: string) {
  const client = useQueryClient();
  return useMutation<Schemas['UpdateDAGSpecResponse'], Failure, number>({
    mutationFn: (revision) =>
      unwrap(
        api.POST('/dags/{fileName}/revisions/{revision}/restore', {
          params: { path: { fileName, revision: String(revision) } },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ['live'] }),
  });
}
