import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import {
  isWorkspaceQueryValid,
  remoteNode,
  workspaceName,
  workspaceQuery,
  workspaceQueryRule,
} from '../common/parameters';
import { cursor, limit, SearchMatchesResponse, text } from '../search/schemas';
import { DocPath, DocSearchFeedResponse, DocSearchResponse } from './schemas';
import { invalidDocQuery, workspaceRefused } from './shared';

const { unauthenticated } = errorAnswers;
const errors = {
  400: { ...invalidDocQuery, reasons: [...invalidDocQuery.reasons, 'cursor_invalid'] },
  401: unauthenticated,
  404: workspaceRefused,
} as const;

export const searchDocs = endpoint({
  method: 'GET',
  path: '/docs/search',
  operationId: 'searchDocs',
  tag: 'docs',
  summary: 'Search all documents',
  description: 'Returns the first 1,000 documents with up to 50 matches each; "/search/docs" has pages.',
  access: 'authenticated',
  query: z.object({ remoteNode, ...workspaceQuery, q: text }).refine(isWorkspaceQueryValid, workspaceQueryRule),
  success: { status: 200, description: 'The documents.', schema: DocSearchResponse },
  errors: { ...errors, 400: invalidDocQuery },
});

export const searchDocFeed = endpoint({
  method: 'GET',
  path: '/search/docs',
  operationId: 'searchDocFeed',
  tag: 'search',
  summary: 'Search documents, in pages',
  access: 'authenticated',
  query: z
    .object({ remoteNode, ...workspaceQuery, q: text, cursor, limit: limit(20) })
    .refine(isWorkspaceQueryValid, workspaceQueryRule),
  success: { status: 200, description: 'A page of documents.', schema: DocSearchFeedResponse },
  errors,
});

export const searchDocMatches = endpoint({
  method: 'GET',
  path: '/search/docs/matches',
  operationId: 'searchDocMatches',
  tag: 'search',
  summary: 'Search one document, in pages',
  access: 'authenticated',
  query: z.object({
    remoteNode,
    workspace: workspaceName.optional().describe('Workspace that the path is relative to.'),
    path: DocPath,
    q: text,
    cursor,
    limit: limit(5),
  }),
  success: { status: 200, description: 'A page of matches.', schema: SearchMatchesResponse },
  errors: {
    ...errors,
    404: {
      description: 'There is no such document, or it is not visible.',
      reasons: ['doc_not_found', 'workspace_not_found'],
    },
  },
});
