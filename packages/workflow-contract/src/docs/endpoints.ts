import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers, SuccessResponse } from '../common/errors';
import { pageQuery } from '../common/paging';
import {
  isWorkspaceQueryValid,
  remoteNode,
  workspaceName,
  workspaceQuery,
  workspaceQueryRule,
} from '../common/parameters';
import {
  CreateDocRequest,
  DocDeleteBatchRequest,
  DocDeleteBatchResponse,
  DocListResponse,
  DocPath,
  DocResponse,
  RenameDocRequest,
  UpdateDocRequest,
} from './schemas';
import { invalidDocQuery, workspaceRefused } from './shared';

const tag = 'docs';
const { unauthenticated, revisionChanged } = errorAnswers;
const workspace = workspaceName.optional().describe('Workspace that the paths are relative to.');
const ofWorkspace = z.object({ remoteNode, workspace });
const ofDoc = z.object({ remoteNode, workspace, path: DocPath });
const mayNotWrite = {
  description: 'The role does not permit writing documents in this workspace.',
  reasons: ['role_missing'],
} as const;
const notFound = {
  description: 'There is no such document, or it is not visible.',
  reasons: ['doc_not_found', 'workspace_not_found'],
} as const;
const exists = { description: 'A document or directory has this path already.', reasons: ['doc_exists'] } as const;
const notWritable = { description: 'The folder is not writable.', reasons: ['docs_folder_not_writable'] } as const;
const invalidContent = {
  description:
    'The request is not valid, the content has too many bytes, the path begins with the name of a workspace that the request does not name, or the node is not this one.',
  reasons: ['request_invalid', 'doc_too_large', 'doc_path_of_workspace', 'remote_node_unknown'],
} as const;
const done = { status: 200, description: 'It was done.', schema: SuccessResponse } as const;

export const listDocs = endpoint({
  method: 'GET',
  path: '/docs',
  operationId: 'listDocs',
  tag,
  summary: 'List documents',
  access: 'authenticated',
  query: z
    .object({
      remoteNode,
      ...workspaceQuery,
      ...pageQuery,
      flat: z.enum(['true', 'false']).optional().describe('Whether to list the documents without directories.'),
      sort: z
        .enum(['name', 'type', 'mtime'])
        .default('type')
        .describe('By name, directories first, or by time of the last change.'),
      order: z.enum(['asc', 'desc']).default('asc').describe('Direction of the order.'),
    })
    .refine(isWorkspaceQueryValid, workspaceQueryRule),
  success: { status: 200, description: 'A page of documents.', schema: DocListResponse },
  errors: { 400: invalidDocQuery, 401: unauthenticated, 404: workspaceRefused },
});

export const createDoc = endpoint({
  method: 'POST',
  path: '/docs',
  operationId: 'createDoc',
  audit: { category: 'doc', action: 'doc_create' },
  tag,
  summary: 'Create a document',
  access: 'authenticated',
  query: ofWorkspace,
  body: CreateDocRequest,
  success: { status: 201, description: 'It was created.', schema: SuccessResponse },
  errors: {
    400: invalidContent,
    401: unauthenticated,
    403: mayNotWrite,
    404: workspaceRefused,
    409: exists,
    503: notWritable,
  },
});

export const getDoc = endpoint({
  method: 'GET',
  path: '/docs/doc',
  operationId: 'getDoc',
  tag,
  summary: 'Get a document',
  access: 'authenticated',
  hasRevisions: true,
  query: ofDoc,
  success: { status: 200, description: 'The document.', schema: DocResponse },
  errors: { 400: invalidDocQuery, 401: unauthenticated, 404: notFound },
});

export const updateDoc = endpoint({
  method: 'PATCH',
  path: '/docs/doc',
  operationId: 'updateDoc',
  audit: { category: 'doc', action: 'doc_update' },
  tag,
  summary: 'Replace the content of a document',
  access: 'authenticated',
  hasRevisions: true,
  query: ofDoc,
  body: UpdateDocRequest,
  success: done,
  errors: {
    400: invalidContent,
    401: unauthenticated,
    403: mayNotWrite,
    404: notFound,
    412: revisionChanged,
    503: notWritable,
  },
});

export const deleteDoc = endpoint({
  method: 'DELETE',
  path: '/docs/doc',
  operationId: 'deleteDoc',
  audit: { category: 'doc', action: 'doc_delete' },
  tag,
  summary: 'Delete a document or directory',
  description: 'Where both have this path, the document. A directory is deleted with everything in it.',
  access: 'authenticated',
  hasRevisions: true,
  query: ofDoc,
  success: { status: 204, description: 'It was deleted.' },
  errors: {
    400: invalidDocQuery,
    401: unauthenticated,
    403: mayNotWrite,
    404: notFound,
    412: revisionChanged,
    503: notWritable,
  },
});

export const renameDoc = endpoint({
  method: 'POST',
  path: '/docs/doc/rename',
  operationId: 'renameDoc',
  audit: { category: 'doc', action: 'doc_rename' },
  tag,
  summary: 'Rename a document or directory',
  access: 'authenticated',
  query: ofDoc,
  body: RenameDocRequest,
  success: done,
  errors: {
    400: {
      description:
        'The request is not valid, the directory would be inside itself, the new path begins with the name of another workspace, or the node is not this one.',
      reasons: ['request_invalid', 'doc_inside_itself', 'doc_path_of_workspace', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: mayNotWrite,
    404: notFound,
    409: exists,
    503: notWritable,
  },
});

export const deleteDocBatch = endpoint({
  method: 'POST',
  path: '/docs/delete-batch',
  operationId: 'deleteDocBatch',
  audit: { category: 'doc', action: 'doc_delete_batch' },
  tag,
  summary: 'Delete documents and directories',
  access: 'authenticated',
  query: ofWorkspace,
  body: DocDeleteBatchRequest,
  success: { status: 200, description: 'The result for each path.', schema: DocDeleteBatchResponse },
  errors: { 400: invalidDocQuery, 401: unauthenticated, 403: mayNotWrite, 404: workspaceRefused },
});
