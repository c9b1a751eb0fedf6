import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';

export const getMetrics = endpoint({
  method: 'GET',
  path: '/metrics',
  operationId: 'getMetrics',
  tag: 'monitoring',
  summary: 'Get metrics for Prometheus',
  description:
    'In the text format 0.0.4. They name DAGs of all workspaces. A setting of the server permits it without a credential.',
  access: 'authenticated',
  query: z.object({ remoteNode }),
  success: {
    status: 200,
    description: 'The metrics.',
    content: { kind: 'text', type: 'text/plain; version=0.0.4; charset=utf-8' },
  },
  errors: {
    400: { description: 'The node is not this one.', reasons: ['request_invalid', 'remote_node_unknown'] },
    401: errorAnswers.unauthenticated,
    403: {
      description: 'The caller does not see all workspaces.',
      reasons: ['role_missing', 'scope_missing', 'surface_missing'],
    },
  },
});
