import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import type { BindEndpoint } from './bind-endpoint';

declare const bind: BindEndpoint<{ readonly name: string }>;

const base = { operationId: 'x', tag: 'things', summary: 'X.', access: 'public', errors: {} } as const;
const update = endpoint({
  ...base,
  method: 'POST',
  path: '/things/{id}',
  params: z.object({ id: z.string() }),
  body: z.object({ size: z.coerce.number() }),
  success: {
    status: 200,
    description: 'The thing.',
    schema: z.object({ size: z.number(), note: z.string().optional() }),
  },
});
const remove = endpoint({
  ...base,
  method: 'DELETE',
  path: '/things/{id}',
  success: { status: 204, description: 'Gone.' },
});

bind(update, ({ input }) => ({ size: input.body.size }));
bind(update, ({ input, principal }) => Promise.resolve({ size: input.body.size, note: principal.name }));
bind(remove, () => undefined);
bind(remove, async () => {
  await Promise.resolve();
});

// @ts-expect-error the answer is of another shape
bind(update, () => ({ size: 'large' }));

// @ts-expect-error the answer is missing
bind(update, () => undefined);

// @ts-expect-error the answer is of another shape, as a promise too
bind(update, () => Promise.resolve({ width: 1 }));

// @ts-expect-error an endpoint without a schema has no answer
bind(remove, () => ({ size: 1 }));

bind(update, ({ input, principal }) => {
  // @ts-expect-error a path parameter is a string
  const id: number = input.params.id;
  // @ts-expect-error the body is parsed, so the size is a number
  const size: string = input.body.size;
  // @ts-expect-error the endpoint has no query
  const query: object = input.query;
  // @ts-expect-error the principal is what the guard returns
  const name: number = principal.name;
  return { size: [id, size, query, name].length };
});
