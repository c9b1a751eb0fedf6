import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers, SuccessResponse } from '../common/errors';
import { localNode, remoteNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';

const tag = 'system';
const change = {
  method: 'POST',
  tag,
  access: rolesFrom('admin'),
  audit: 'no-change',
  query: z.object({ remoteNode: localNode }),
  errors: {
    400: {
      description: 'The request is not valid, or it is meant for another node.',
      reasons: ['request_invalid', 'remote_node_unsupported'],
    },
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
  },
} as const;

export const getLicenseStatus = endpoint({
  method: 'GET',
  path: '/license/status',
  operationId: 'getLicenseStatus',
  tag,
  summary: 'Get the status of the licence',
  description: 'There is nothing to license: every feature is free.',
  access: 'authenticated',
  query: z.object({ remoteNode }),
  success: {
    status: 200,
    description: 'Every feature is free.',
    schema: z
      .object({
        valid: z.boolean().describe('Always true.'),
        plan: z.string().describe('Always "free".'),
        expiry: z.string().describe('Always empty.'),
        features: z.array(z.string()).describe('Always empty: no feature depends on a licence.'),
        gracePeriod: z.boolean().describe('Always false.'),
        graceEndsAt: z.string().describe('Always empty.'),
        community: z.boolean().describe('Always true.'),
        source: z.string().describe('Always "none".'),
        warningCode: z.string().describe('Always empty.'),
        error: z.string().describe('Always empty.'),
      })
      .meta({ id: 'LicenseStatusResponse', description: 'The status of a licence that nothing needs.' }),
  },
  errors: {
    400: { description: 'The node is not this one.', reasons: ['request_invalid', 'remote_node_unknown'] },
    401: errorAnswers.unauthenticated,
  },
});

export const activateLicense = endpoint({
  ...change,
  path: '/license/activate',
  operationId: 'activateLicense',
  summary: 'Activate a licence',
  description:
    'There is nothing to license: the answer is the same for every key, which is neither checked nor stored.',
  body: z
    .object({ key: z.string().trim().min(1).max(4096).describe('Any key.') })
    .meta({ id: 'ActivateLicenseRequest', description: 'A key that nothing needs.' }),
  success: {
    status: 200,
    description: 'Every feature is free.',
    schema: z
      .object({
        plan: z.string().describe('Always "free".'),
        features: z.array(z.string()).describe('Always empty: no feature depends on a licence.'),
        expiry: z.string().describe('Always empty.'),
      })
      .meta({ id: 'ActivateLicenseResponse', description: 'What there is without a licence.' }),
  },
});

export const deactivateLicense = endpoint({
  ...change,
  path: '/license/deactivate',
  operationId: 'deactivateLicense',
  summary: 'Deactivate the licence',
  description: 'There is none, and every feature goes on working.',
  success: { status: 200, description: 'There was none.', schema: SuccessResponse },
});
