import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { UpdateDagSpecResponse } from './finding-schema';
import {
  DagRevisionDiffResponse,
  DagRevisionResponse,
  DagRevisionsResponse,
  revisionDiffFrom,
  revisionNumber,
  revisionPaging,
} from './revision-schema';
import { DagName } from '../run-inputs/identity';

const tag = 'dags';
const { unauthenticated, parserBusy, revisionChanged } = errorAnswers;
const params = z.object({ fileName: DagName });
const oneRevision = params.extend({ revision: revisionNumber });
const query = z.object({ remoteNode });
const invalidRequest = {
  description: 'A parameter is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const notFound = {
  description: 'The DAG or the revision is unknown or not visible.',
  reasons: ['dag_not_found', 'revision_not_found'],
} as const;

export const listDagRevisions = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/revisions',
  operationId: 'listDAGRevisions',
  tag,
  summary: 'List the revisions of a DAG',
  description: 'A deleted DAG has revisions too. Those of workspaces that the caller cannot see are left out.',
  access: 'authenticated',
  params,
  query: z.object({ remoteNode, ...revisionPaging }),
  success: {
    status: 200,
    description: 'A page of revisions.',
    schema: DagRevisionsResponse,
  },
  errors: {
    400: {
      description: 'A parameter is not valid, the cursor belongs to another list, or the node is not this one.',
      reasons: ['request_invalid', 'cursor_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: { description: 'The DAG is unknown or not visible.', reasons: ['dag_not_found'] },
    503: parserBusy,
  },
});

export const getDagRevision = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/revisions/{revision}',
  operationId: 'getDAGRevision',
  tag,
  summary: 'Get a revision of a DAG with its text',
  access: 'authenticated',
  params: oneRevision,
  query,
  success: {
    status: 200,
    description: 'The revision.',
    schema: DagRevisionResponse,
  },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: notFound, 503: parserBusy },
});

export const getDagRevisionDiff = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/revisions/{revision}/diff',
  operationId: 'getDAGRevisionDiff',
  tag,
  summary: 'Compare two revisions of a DAG',
  access: 'authenticated',
  params: oneRevision,
  query: z.object({ remoteNode, from: revisionDiffFrom }),
  success: {
    status: 200,
    description: 'The difference.',
    schema: DagRevisionDiffResponse,
  },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: notFound, 503: parserBusy },
});

export const restoreDagRevision = endpoint({
  method: 'POST',
  path: '/dags/{fileName}/revisions/{revision}/restore',
  operationId: 'restoreDAGRevision',
  audit: { category: 'dag', action: 'dag_restore' },
  tag,
  summary: 'Give a DAG the text of a revision again',
  description:
    'The text becomes a new revision. A text with errors is not stored: the answer lists them. A deleted DAG is created again, for which the text must have no errors.',
  access: 'authenticated',
  hasRevisions: true,
  params: oneRevision,
  query,
  success: { status: 200, description: 'The text is stored, or has errors.', schema: UpdateDagSpecResponse },
  errors: {
    400: {
      description:
        'The request is not valid, the node is not this one, the revision has no text, or the text for a deleted DAG has errors.',
      reasons: ['request_invalid', 'remote_node_unknown', 'revision_without_text', 'spec_invalid'],
    },
    401: unauthenticated,
    403: {
      description: 'The role does not permit writing DAGs in this workspace, or in the one that the text names.',
      reasons: ['role_missing'],
    },
    404: notFound,
    409: { description: 'The deleted DAG was created meanwhile.', reasons: ['dag_exists'] },
    412: revisionChanged,
    503: {
      description: 'Too many large DAGs are waiting to be parsed, or the folder is not writable.',
      reasons: ['parser_busy', 'dags_folder_not_writable'],
    },
  },
});
