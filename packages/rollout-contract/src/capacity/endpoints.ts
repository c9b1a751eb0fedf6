import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { forAdmin } from '../common/access';
import { errorAnswers } from '../common/errors';

export const CapacityResponse = z
  .object({ capacity: z.int().describe('Grants that no session has used yet, this one among them.') })
  .meta({ id: 'CapacityResponse', description: 'What may still be started.' });
export type CapacityResponse = z.output<typeof CapacityResponse>;

export const grantCapacity = endpoint({
  method: 'POST',
  path: '/grant_capacity',
  operationId: 'grantCapacity',
  tag: 'episodes',
  summary: 'Reserve a place for one session',
  description:
    'A grant that no session uses expires. A body is not looked at. Repeatable without harm with an `Idempotency-Key` header.',
  access: forAdmin,
  success: { status: 200, description: 'The place is reserved.', schema: CapacityResponse },
  errors: {
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
    409: { description: 'The idempotency key came with another request.', reasons: ['idempotency_key_reused'] },
    429: { description: 'Grants and unfinished sessions take all places.', reasons: ['capacity_exhausted'] },
  },
});
