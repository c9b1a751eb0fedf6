import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { localNode, workspaceName } from '../common/parameters';
import { rolesFrom } from '../common/roles';

const tag = 'workspaces';
const { unauthenticated, forbidden } = errorAnswers;
const query = z.object({ remoteNode: localNode });
const params = z.object({ workspaceId: z.string().min(1).max(64).describe('Id of the workspace.') });
const invalid = {
  description: 'The request or the name is not valid, or it is meant for another node.',
  reasons: ['request_invalid', 'remote_node_unsupported'],
} as const;
const notFound = { description: 'The workspace is unknown or not visible.', reasons: ['workspace_not_found'] } as const;
const hasDocuments = {
  description: 'A directory of documents has the name of the workspace, so they would change hands.',
  reasons: ['workspace_has_documents'],
} as const;
const nameTaken = {
  description: 'A workspace has this name, or documents would change hands.',
  reasons: ['workspace_name_taken', 'workspace_has_documents'],
} as const;

const selections: ReadonlySet<string> = new Set(['all', 'default', 'global']);
const newName = workspaceName
  .refine((name) => !selections.has(name), 'must not be "all", "default" or "global"')
  .describe('Name of the workspace, in lower case.');
const newDescription = z.string().max(1000).optional().describe('Description.');
const timestamp = z.iso.datetime({ offset: true });

export const WorkspaceResponse = z
  .object({
    id: z.string().describe('Id of the workspace.'),
    name: z.string().describe('Its name.'),
    description: z.string().describe('Its description.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it was changed last.'),
  })
  .meta({ id: 'WorkspaceResponse', description: 'A workspace. What belongs to it has the label "workspace=<name>".' });
export type WorkspaceResponse = z.output<typeof WorkspaceResponse>;

const oneWorkspace = { status: 200, description: 'The workspace.', schema: WorkspaceResponse } as const;

export const listWorkspaces = endpoint({
  method: 'GET',
  path: '/workspaces',
  operationId: 'listWorkspaces',
  tag,
  summary: 'List the visible workspaces',
  access: 'authenticated',
  query,
  success: {
    status: 200,
    description: 'The workspaces.',
    schema: z
      .object({ workspaces: z.array(WorkspaceResponse).describe('By name.') })
      .meta({ id: 'WorkspaceListResponse', description: 'Workspaces.' }),
  },
  errors: { 400: invalid, 401: unauthenticated },
});

export const createWorkspace = endpoint({
  method: 'POST',
  path: '/workspaces',
  operationId: 'createWorkspace',
  audit: { category: 'workspace', action: 'workspace_create' },
  tag,
  summary: 'Create a workspace',
  access: rolesFrom('developer'),
  query,
  body: z
    .object({ name: newName, description: newDescription })
    .meta({ id: 'CreateWorkspaceRequest', description: 'A new workspace.' }),
  success: { status: 201, description: 'The workspace was created.', schema: WorkspaceResponse },
  errors: { 400: invalid, 401: unauthenticated, 403: forbidden, 409: nameTaken },
});

export const getWorkspace = endpoint({
  method: 'GET',
  path: '/workspaces/{workspaceId}',
  operationId: 'getWorkspace',
  tag,
  summary: 'Get a workspace',
  access: 'authenticated',
  params,
  query,
  success: oneWorkspace,
  errors: { 400: invalid, 401: unauthenticated, 404: notFound },
});

export const updateWorkspace = endpoint({
  method: 'PATCH',
  path: '/workspaces/{workspaceId}',
  operationId: 'updateWorkspace',
  audit: { category: 'workspace', action: 'workspace_update' },
  tag,
  summary: 'Change a workspace',
  description: 'Labels of DAGs and grants are not changed by a new name.',
  access: rolesFrom('developer'),
  params,
  query,
  body: z
    .object({ name: newName.optional(), description: newDescription })
    .meta({ id: 'UpdateWorkspaceRequest', description: 'What is to be changed.' }),
  success: oneWorkspace,
  errors: { 400: invalid, 401: unauthenticated, 403: forbidden, 404: notFound, 409: nameTaken },
});

export const deleteWorkspace = endpoint({
  method: 'DELETE',
  path: '/workspaces/{workspaceId}',
  operationId: 'deleteWorkspace',
  audit: { category: 'workspace', action: 'workspace_delete' },
  tag,
  summary: 'Delete a workspace',
  description: 'DAGs with its label are not changed.',
  access: rolesFrom('developer'),
  params,
  query,
  success: { status: 204, description: 'The workspace was deleted.' },
  errors: { 400: invalid, 401: unauthenticated, 403: forbidden, 404: notFound, 409: hasDocuments },
});
