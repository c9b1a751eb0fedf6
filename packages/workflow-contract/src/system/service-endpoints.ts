import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';

const tag = 'system';
const query = z.object({ remoteNode });
const errors = {
  400: { description: 'The node is not this one.', reasons: ['request_invalid', 'remote_node_unknown'] },
  401: errorAnswers.unauthenticated,
  403: errorAnswers.forbidden,
} as const;

const instance = {
  instanceId: z.string().describe('Identifies the instance.'),
  host: z.string().describe('Name of its host.'),
  status: z.enum(['active', 'inactive', 'unknown']).describe('Whether it works.'),
  startedAt: z.string().describe('When it started, RFC 3339; empty if that is not known.'),
};

export const getSchedulerStatus = endpoint({
  method: 'GET',
  path: '/services/scheduler',
  operationId: 'getSchedulerStatus',
  tag,
  summary: 'List the schedulers',
  description: 'Only the one of this process is known; none where it does not have the role "scheduler".',
  access: rolesFrom('developer'),
  query,
  success: {
    status: 200,
    description: 'The schedulers.',
    schema: z
      .object({
        schedulers: z
          .array(z.object(instance).meta({ id: 'SchedulerInstance', description: 'A scheduler.' }))
          .describe('The schedulers.'),
      })
      .meta({ id: 'SchedulerStatusResponse', description: 'The schedulers.' }),
  },
  errors,
});

export const getCoordinatorStatus = endpoint({
  method: 'GET',
  path: '/services/coordinator',
  operationId: 'getCoordinatorStatus',
  tag,
  summary: 'List the coordinators',
  description: 'The configured one, which is inactive while it does not answer; none where none is configured.',
  access: rolesFrom('developer'),
  query,
  success: {
    status: 200,
    description: 'The coordinators.',
    schema: z
      .object({
        coordinators: z
          .array(
            z
              .object({ ...instance, port: z.int().describe('Its port.') })
              .meta({ id: 'CoordinatorInstance', description: 'A coordinator.' }),
          )
          .describe('The coordinators.'),
      })
      .meta({ id: 'CoordinatorStatusResponse', description: 'The coordinators.' }),
  },
  errors,
});

export const getTunnelStatus = endpoint({
  method: 'GET',
  path: '/services/tunnel',
  operationId: 'getTunnelStatus',
  tag,
  summary: 'Get the status of the tunnel',
  description: 'This server has none.',
  access: rolesFrom('developer'),
  query,
  success: {
    status: 200,
    description: 'There is no tunnel.',
    schema: z
      .object({
        enabled: z.boolean().describe('Whether there is a tunnel.'),
        status: z.enum(['disabled', 'connecting', 'connected', 'reconnecting', 'error']).describe('Its status.'),
      })
      .meta({ id: 'TunnelStatusResponse', description: 'The status of the tunnel.' }),
  },
  errors,
});
