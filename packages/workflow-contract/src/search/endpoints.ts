import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { isWorkspaceQueryValid, remoteNode, workspaceQuery, workspaceQueryRule } from '../common/parameters';
import { runRefusals } from '../run-inputs/run-request';
import { Dag } from '../dags/schemas';
import { Status, StatusLabel } from '../dag-runs/schemas';
import { cursor, hasMore, limit, matches, nextCursor, RunMatch, SearchMatchesResponse, text, words } from './schemas';
import { DagName } from '../run-inputs/identity';

const { unauthenticated } = errorAnswers;
const labels = z.string().max(4096).optional().describe('Labels that a DAG must all have, as in the list of DAGs.');
const workspaceRefusals = {
  401: unauthenticated,
  404: { description: 'The workspace is not visible.', reasons: ['workspace_not_found'] },
  503: { description: 'The folder is still being read for the first time.', reasons: ['dags_loading'] },
} as const;
const invalidSearch = {
  description: 'A parameter is not valid, the cursor belongs to another search, or the node is not this one.',
  reasons: ['request_invalid', 'cursor_invalid', 'remote_node_unknown'],
} as const;

const SearchResultItem = z
  .object({ name: z.string().describe('Name of the file.'), dag: Dag, matches })
  .meta({ id: 'SearchResultItem', description: 'A DAG whose spec contains the text.' });

const DagSearchPageItem = z
  .object({
    fileName: z.string().describe('Name of the file.'),
    name: z.string().describe('Name of the DAG.'),
    workspace: z.string().optional().describe('Its workspace.'),
    hasMoreMatches: hasMore,
    nextMatchesCursor: z.string().optional().describe('Cursor of further matches of this DAG.'),
    matches,
  })
  .meta({ id: 'DAGSearchPageItem', description: 'A DAG whose spec contains the text, with the first match.' });

const DagRunSearchPageItem = z
  .object({
    name: z.string().describe('Name of the DAG.'),
    dagRunId: z.string().describe('Id of the run.'),
    workspace: z.string().optional().describe('Its workspace.'),
    status: Status,
    statusLabel: StatusLabel,
    createdAt: z.string().describe('When the run was stored, RFC 3339.'),
    startedAt: z.string().describe('RFC 3339; empty before the start.'),
    finishedAt: z.string().describe('RFC 3339; empty while active.'),
    matches: z.array(RunMatch).describe('Up to five.'),
  })
  .meta({ id: 'DAGRunSearchPageItem', description: 'A run that contains the words.' });

export const searchDags = endpoint({
  method: 'GET',
  path: '/dags/search',
  operationId: 'searchDAGs',
  tag: 'dags',
  summary: 'Search the specs of all DAGs',
  description: 'Returns the first 1,000 DAGs with up to 50 matches each; "/search/dags" has pages.',
  access: 'authenticated',
  query: z.object({ remoteNode, q: text }),
  success: {
    status: 200,
    description: 'The DAGs.',
    schema: z
      .object({
        results: z.array(SearchResultItem).describe('By name.'),
        errors: z.array(z.string()).describe('Errors while reading the folder.'),
      })
      .meta({ id: 'SearchDAGsResponse', description: 'DAGs whose specs contain the text.' }),
  },
  errors: {
    400: {
      description: 'The text is blank, or the node is not this one.',
      reasons: ['request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    503: workspaceRefusals[503],
  },
});

export const searchDagFeed = endpoint({
  method: 'GET',
  path: '/search/dags',
  operationId: 'searchDAGFeed',
  tag: 'search',
  summary: 'Search the specs of DAGs, in pages',
  access: 'authenticated',
  query: z
    .object({ remoteNode, ...workspaceQuery, q: text, labels, cursor, limit: limit(20) })
    .refine(isWorkspaceQueryValid, workspaceQueryRule),
  success: {
    status: 200,
    description: 'A page of DAGs.',
    schema: z
      .object({ results: z.array(DagSearchPageItem).describe('By name.'), hasMore, nextCursor })
      .meta({ id: 'DAGSearchFeedResponse', description: 'A page of DAGs whose specs contain the text.' }),
  },
  errors: { 400: invalidSearch, ...workspaceRefusals },
});

export const searchDagMatches = endpoint({
  method: 'GET',
  path: '/search/dags/{fileName}/matches',
  operationId: 'searchDagMatches',
  tag: 'search',
  summary: 'Search the spec of one DAG, in pages',
  access: 'authenticated',
  params: z.object({ fileName: DagName }),
  query: z
    .object({ remoteNode, ...workspaceQuery, q: text, labels, cursor, limit: limit(5) })
    .refine(isWorkspaceQueryValid, workspaceQueryRule),
  success: {
    status: 200,
    description: 'A page of matches.',
    schema: SearchMatchesResponse,
  },
  errors: {
    400: invalidSearch,
    401: unauthenticated,
    404: {
      description: 'There is no such DAG in the selection, or it is not visible.',
      reasons: [...runRefusals[404].reasons, 'workspace_not_found'],
    },
  },
});

export const searchDagRunFeed = endpoint({
  method: 'GET',
  path: '/search/dag-runs',
  operationId: 'searchDAGRunFeed',
  tag: 'search',
  summary: 'Search runs by their words, in pages',
  description:
    'Finds root runs by the name of the DAG, the id, labels, parameters, and the errors of the run and its failed steps.',
  access: 'authenticated',
  query: z
    .object({ remoteNode, ...workspaceQuery, q: words, cursor, limit: limit(20) })
    .refine(isWorkspaceQueryValid, workspaceQueryRule),
  success: {
    status: 200,
    description: 'A page of runs.',
    schema: z
      .object({ results: z.array(DagRunSearchPageItem).describe('Newest first.'), hasMore, nextCursor })
      .meta({ id: 'DAGRunSearchFeedResponse', description: 'A page of runs that contain the words.' }),
  },
  errors: { 400: invalidSearch, 401: unauthenticated, 404: workspaceRefusals[404] },
});
