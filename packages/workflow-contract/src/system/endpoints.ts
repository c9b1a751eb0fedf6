import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';
import { HealthResponse, LivenessResponse, WorkersListResponse } from './schemas';

const tag = 'system';

export const getHealthStatus = endpoint({
  method: 'GET',
  path: '/health',
  operationId: 'getHealthStatus',
  tag,
  summary: 'Get the health of the service',
  description:
    'For readiness checks: what answers 503 should get no requests. The details of that error are the health.',
  access: 'public',
  success: { status: 200, description: 'The service is healthy.', schema: HealthResponse },
  errors: {
    503: {
      description:
        'The database does not answer, a disk has no space, or the store of logs and artifacts cannot be reached.',
      reasons: ['database_unreachable', 'storage_full', 'store_unavailable'],
    },
  },
});

export const getLiveness = endpoint({
  method: 'GET',
  path: '/health/live',
  operationId: 'getLiveness',
  tag,
  summary: 'Get whether the process answers',
  description: 'For liveness checks: it asks neither the database nor the disks, which a restart would not mend.',
  access: 'public',
  success: { status: 200, description: 'The process answers.', schema: LivenessResponse },
  errors: {},
});

export const getOpenApiJson = endpoint({
  method: 'GET',
  path: '/openapi.json',
  operationId: 'getOpenapiJson',
  tag,
  summary: 'Get the OpenAPI document',
  access: 'authenticated',
  success: {
    status: 200,
    description: 'The OpenAPI document of this API, with the actual server address.',
    schema: z.record(z.string(), z.unknown()),
  },
  errors: { 401: errorAnswers.unauthenticated },
});

export const getWorkers = endpoint({
  method: 'GET',
  path: '/workers',
  operationId: 'getWorkers',
  tag,
  summary: 'List the workers',
  description:
    'Those that share the database of this server, with its own among them. Runs that the caller may not see are counted but not listed.',
  access: rolesFrom('developer'),
  query: z.object({ remoteNode }),
  success: {
    status: 200,
    description: 'The workers.',
    schema: WorkersListResponse,
  },
  errors: {
    400: { description: 'The node is not this one.', reasons: ['request_invalid', 'remote_node_unknown'] },
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
    503: {
      description: 'The coordinator is unavailable: the database, by which workers coordinate, cannot be read.',
      reasons: ['coordinator_unavailable'],
    },
  },
});
