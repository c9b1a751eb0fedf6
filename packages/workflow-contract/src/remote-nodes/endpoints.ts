import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { localNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';
import {
  CreateRemoteNodeRequest,
  RemoteNodeListResponse,
  RemoteNodeResponse,
  TestRemoteNodeConnectionResponse,
  UpdateRemoteNodeRequest,
} from './schemas';

const tag = 'remote-nodes';
const access = rolesFrom('admin');
const query = z.object({ remoteNode: localNode });
const params = z.object({
  remoteNodeId: z.string().min(1).max(300).describe('Id of the node; `cfg:<name>` for one of the configuration.'),
});
const { unauthenticated, forbidden } = errorAnswers;
const invalid = {
  description: 'The request is not valid, or it is meant for another node.',
  reasons: ['request_invalid', 'remote_node_unsupported'],
} as const;
const invalidNode = {
  description: 'The request is not valid, lacks the credentials, or it is meant for another node.',
  reasons: ['request_invalid', 'remote_node_credentials_missing', 'remote_node_unsupported'],
} as const;
const notFound = { description: 'There is no such node.', reasons: ['remote_node_not_found'] } as const;
const nameTaken = { description: 'Another node has the name.', reasons: ['remote_node_name_taken'] } as const;
const unchangeable = {
  description: 'The role does not permit this operation, or the node is one of the configuration.',
  reasons: [...forbidden.reasons, 'remote_node_configured'],
} as const;
const success = { status: 200, description: 'The node.', schema: RemoteNodeResponse } as const;

export const listRemoteNodes = endpoint({
  method: 'GET',
  path: '/remote-nodes',
  operationId: 'listRemoteNodes',
  tag,
  summary: 'List remote nodes',
  description: 'Those of the configuration and those that are stored, which win where a name is in both.',
  access,
  query,
  success: { status: 200, description: 'The nodes.', schema: RemoteNodeListResponse },
  errors: { 400: invalid, 401: unauthenticated, 403: forbidden },
});

export const createRemoteNode = endpoint({
  method: 'POST',
  path: '/remote-nodes',
  operationId: 'createRemoteNode',
  audit: { category: 'remote_node', action: 'remote_node_create' },
  tag,
  summary: 'Register a remote node',
  access,
  query,
  body: CreateRemoteNodeRequest,
  success: { status: 201, description: 'The node was registered.', schema: RemoteNodeResponse },
  errors: { 400: invalidNode, 401: unauthenticated, 403: forbidden, 409: nameTaken },
});

export const getRemoteNode = endpoint({
  method: 'GET',
  path: '/remote-nodes/{remoteNodeId}',
  operationId: 'getRemoteNode',
  tag,
  summary: 'Get a remote node without its credentials',
  access,
  params,
  query,
  success,
  errors: { 400: invalid, 401: unauthenticated, 403: forbidden, 404: notFound },
});

export const updateRemoteNode = endpoint({
  method: 'PATCH',
  path: '/remote-nodes/{remoteNodeId}',
  operationId: 'updateRemoteNode',
  audit: { category: 'remote_node', action: 'remote_node_update' },
  tag,
  summary: 'Change a remote node',
  access,
  params,
  query,
  body: UpdateRemoteNodeRequest,
  success,
  errors: { 400: invalidNode, 401: unauthenticated, 403: unchangeable, 404: notFound, 409: nameTaken },
});

export const deleteRemoteNode = endpoint({
  method: 'DELETE',
  path: '/remote-nodes/{remoteNodeId}',
  operationId: 'deleteRemoteNode',
  audit: { category: 'remote_node', action: 'remote_node_delete' },
  tag,
  summary: 'Remove a remote node',
  access,
  params,
  query,
  success: { status: 204, description: 'The node was removed.' },
  errors: { 400: invalid, 401: unauthenticated, 403: unchangeable, 404: notFound },
});

export const testRemoteNodeConnection = endpoint({
  method: 'POST',
  path: '/remote-nodes/{remoteNodeId}/test-connection',
  operationId: 'testRemoteNodeConnection',
  audit: 'no-change',
  tag,
  summary: 'Test the connection to a remote node',
  description: 'Lists one DAG of it, within 5 seconds.',
  access,
  params,
  query,
  success: { status: 200, description: 'What was found.', schema: TestRemoteNodeConnectionResponse },
  errors: { 400: invalid, 401: unauthenticated, 403: forbidden, 404: notFound },
});
