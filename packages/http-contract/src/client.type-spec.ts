import { z } from 'zod';
import { createClient } from './client';
import { endpoint } from './endpoint';

const contract = {
  read: endpoint({
    method: 'GET',
    path: '/things/{id}',
    operationId: 'read',
    tag: 'things',
    summary: 'Reads.',
    access: 'public',
    params: z.object({ id: z.string() }),
    success: { status: 200, description: 'The thing.', schema: z.object({ name: z.string() }) },
    errors: {},
  }),
};
const client = createClient(contract, { baseUrl: 'http://127.0.0.1' });

// @ts-expect-error the path parameter is missing
void client.read();

// @ts-expect-error the path parameter is a string
void client.read({ params: { id: 5 } });

void client.read({ params: { id: 'x' } }).then((thing) => {
  // @ts-expect-error the answer has no number in this field
  const name: number = thing.name;
  return name;
});
