import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { localNode } from '../common/parameters';
import { UserRole } from '../common/roles';

const WorkspacePermissions = z
  .object({
    workspace: z.string().optional().describe('Name of the workspace; absent for what is in none.'),
    role: UserRole,
    mayRun: z.boolean().describe('Whether runs may be started, stopped and retried, and schedules suspended.'),
    mayWrite: z.boolean().describe('Whether DAGs and documents may be created, changed and deleted.'),
  })
  .meta({ id: 'WorkspacePermissions', description: 'What the caller may do in a workspace.' });

const OperationRole = z
  .object({
    operationId: z.string().describe('Id of the operation.'),
    role: UserRole,
  })
  .meta({ id: 'OperationRole', description: 'The weakest role that permits an operation.' });

export const getPermissions = endpoint({
  method: 'GET',
  path: '/permissions',
  operationId: 'getPermissions',
  tag: 'workspaces',
  summary: 'Get what the caller may do',
  access: 'authenticated',
  query: z.object({ remoteNode: localNode }),
  success: {
    status: 200,
    description: 'The permissions.',
    schema: z
      .object({
        role: UserRole,
        operations: z
          .array(z.string())
          .describe('Ids of the operations that the role permits; some also depend on the workspace of an object.'),
        requirements: z
          .array(OperationRole)
          .describe(
            'The weakest role for each operation that needs one; where its object is in a workspace, the role there.',
          ),
        workspaces: z
          .array(WorkspacePermissions)
          .describe('What is in no workspace first, then the visible workspaces by name.'),
        remoteNodes: z.array(z.string()).describe('Names of the nodes to which requests of the caller can be passed.'),
      })
      .meta({ id: 'PermissionsResponse', description: 'What the caller may do.' }),
  },
  errors: {
    400: {
      description: 'The request is meant for another node.',
      reasons: ['request_invalid', 'remote_node_unsupported'],
    },
    401: errorAnswers.unauthenticated,
  },
});
