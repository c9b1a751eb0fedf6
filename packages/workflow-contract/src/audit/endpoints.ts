import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import { rolesFrom } from '../common/roles';
import { AuditLogsResponse, AuditVerification } from './schemas';

const tag = 'audit';
const access = rolesFrom('manager');
const { unauthenticated, forbidden } = errorAnswers;
const invalid = {
  description: 'A parameter is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const errors = { 400: invalid, 401: unauthenticated, 403: forbidden } as const;
const text = z.string().max(255).optional();
const time = z.iso.datetime({ offset: true }).optional();

export const listAuditLogs = endpoint({
  method: 'GET',
  path: '/audit',
  operationId: 'listAuditLogs',
  tag,
  summary: 'List changes and sign-ins',
  description: 'Managers of single workspaces get the entries about these.',
  // The role in the workspace of an entry counts, see `objectRoles`.
  access: 'authenticated',
  query: z.object({
    remoteNode,
    category: text.describe('Only entries of this category.'),
    action: text.describe('Only entries of this action.'),
    result: z.enum(['success', 'failure']).optional().describe('Only entries with this result.'),
    userId: text.describe('Only entries of this caller.'),
    ipAddress: text.describe('Only entries from this address.'),
    credentialType: text.describe('Only entries with this kind of credential.'),
    credentialId: text.describe('Only entries of this session or API key.'),
    resourceType: text.describe('Only entries about this kind of resource.'),
    resourceId: text.describe('Only entries about this resource.'),
    workspace: text.describe('Only entries about this workspace.'),
    correlationId: text.describe('Only the entry of this request.'),
    search: text.describe('Only entries whose action, user name, resource or details contain this text.'),
    startTime: time.describe('Only what happened at this time or later.'),
    endTime: time.describe('Only what happened before this time.'),
    limit: queryInteger(1, 500).default(50).describe('Maximum number: 1 to 500. Default 50.'),
    offset: queryInteger(0, 1_000_000).default(0).describe('How many entries come before the page.'),
  }),
  success: { status: 200, description: 'A page of entries.', schema: AuditLogsResponse },
  errors,
});

export const exportAuditLog = endpoint({
  method: 'GET',
  path: '/audit/export',
  operationId: 'exportAuditLog',
  tag,
  summary: 'Export the audit log',
  description:
    'JSON Lines: an entry a line, oldest first, with its hash. The next part is after the position of the last line; a part without lines is the end. "weir audit verify --file" checks such a file without the server.',
  access,
  query: z.object({
    remoteNode,
    after: queryInteger(0, 2_147_483_647).default(0).describe('Only entries after this position.'),
    limit: queryInteger(1, 5000).default(1000).describe('Maximum number: 1 to 5000. Default 1000.'),
  }),
  success: {
    status: 200,
    description: 'The entries.',
    content: { kind: 'text', type: 'application/x-ndjson; charset=utf-8' },
  },
  errors,
});

export const verifyAuditLog = endpoint({
  method: 'GET',
  path: '/audit/verification',
  operationId: 'verifyAuditLog',
  tag,
  summary: 'Verify the audit log',
  description: 'Computes the hash of every entry again and compares it with what is stored.',
  access,
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'What was found.', schema: AuditVerification },
  errors,
});
