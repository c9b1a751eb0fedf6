import document from '@weir/workflow-contract/openapi.json';
import { waitFor } from '@weir/test-kit';
import fc from 'fast-check';
import { describedOperations, type ApiDocument } from '../support/described-api';
import { setUpAdmin } from '../support/people';
import { startWeir, type Weir } from '../support/weir-server';

/** Requests for each operation; for longer runs than that of `npm test`. */
const numRuns = Number(process.env.WEIR_PROPERTY_RUNS ?? '12');

jest.setTimeout(60_000 + numRuns * 10_000);

let weir: Weir;
let admin: string;

beforeAll(async () => {
  weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' }, deadlineMs: 300_000 + numRuns * 60_000 });
  admin = await setUpAdmin(weir);
  const client = weir.createClient(admin);
  await client.createNewDag({ body: { name: 'known', spec: 'steps:\n  - {name: first, run: "true"}\n' } });
  await client.createNewDag({
    body: { name: 'waiting', spec: 'steps:\n  - {name: review, run: "true", approval: {}}\n' },
  });
  await client.createWorkspace({ body: { name: 'ops' } });
  for (const fileName of ['known', 'waiting'])
    await client.executeDagSync({ params: { fileName }, body: { timeout: 30, dagRunId: 'run-1' } });
});

afterAll(() => weir.dispose());

describe('answers to requests of the description, and to others', () => {
  const operations = describedOperations(document as unknown as ApiDocument);

  it.each(operations.filter(({ isEndless }) => !isEndless).map((each) => [each.name, each] as const))(
    'of %s are as described',
    async (_, { method, requests, problems }) => {
      await fc.assert(
        fc.asyncProperty(requests, async ({ address, body }) => {
          const answer = await weir.request(method, address, { token: admin, ...(body === undefined ? {} : { body }) });
          const found = problems(answer);
          if (found.length > 0)
            throw new Error(`${found.join('; ')}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`);
        }),
        { numRuns },
      );
    },
  );

  it('leave the server healthy', async () => {
    await waitFor(
      async () => ((await weir.request('GET', '/health')).body as { status: string }).status === 'healthy',
      {
        what: 'a healthy server',
      },
    );
  });
});
