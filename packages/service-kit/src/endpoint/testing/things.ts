import { endpoint } from '@weir/http-contract';
import { z } from 'zod';

const base = { operationId: 'x', tag: 'things', summary: 'X.', errors: {} } as const;
const Thing = z.object({ name: z.string() });

export const readThing = endpoint({
  ...base,
  method: 'GET',
  path: '/things/{id}',
  access: ['admin'],
  params: z.object({ id: z.string().min(2) }),
  query: z.object({ page: z.coerce.number().int().default(1), label: z.union([z.string(), z.array(z.string())]) }),
  success: { status: 200, description: 'The thing.', schema: Thing },
});
export const createThing = endpoint({
  ...base,
  method: 'POST',
  path: '/things',
  access: 'authenticated',
  body: z.object({ name: z.string(), size: z.object({ width: z.number() }).optional() }),
  success: { status: 201, description: 'Created.', schema: Thing },
});
export const startThing = endpoint({
  ...base,
  method: 'POST',
  path: '/things/{id}/start',
  access: 'public',
  params: z.object({ id: z.string() }),
  body: z.object({ queue: z.string() }).default({ queue: 'default' }),
  bodyRequired: false,
  success: { status: 200, description: 'Started.', schema: z.object({ queue: z.string() }) },
});
export const deleteThing = endpoint({
  ...base,
  method: 'DELETE',
  path: '/things/{id}',
  access: 'public',
  success: { status: 204, description: 'Gone.' },
});
