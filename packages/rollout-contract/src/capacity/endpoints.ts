import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { forAdmin } from '../common/access';
import { errorAnswers } from '../common/errors';

export const CapacityResponse = z
  .object({ capacity: z.int().describe('Number of unused grants, including this one.') })
  .meta({ id: 'CapacityResponse', description: 'The capacity that is granted.' });
export type CapacityResponse = z.output<typeof CapacityResponse>;

export const grantCapacity = endpoint({
  method: 'POST',
  path: '/grant_capacity',
  operationId: 'grantCapacity',
  tag: 'episodes',
  summary: 'Reserve capacity for one session',
  description: 'An unused grant expires. A request body is ignored. Safe to retry with an `Idempotency-Key` header.',
  access: forAdmin,
  success: { status: 200, description: 'The capacity is reserved.', schema: CapacityResponse },
  errors: {
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
    409: { description: 'The idempotency key was used with another request.', reasons: ['idempotency_key_reused'] },
    429: { description: 'Grants and unfinished sessions use the whole capacity.', reasons: ['capacity_exhausted'] },
  },
});
