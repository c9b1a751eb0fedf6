import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';
import type { OutputEvaluator } from '../../output-thread';

const event = { specversion: '1.0', id: '1', source: '/shop', type: 'order.created' };

describe('an event', () => {
  let test: TestWorkflow;
  let evaluate: OutputEvaluator['evaluate'];

  beforeEach(async () => {
    const outputEvaluator: OutputEvaluator = { evaluate: (request, signal) => evaluate(request, signal) };
    test = await createTestWorkflow({ platform: { outputEvaluator } });
    const steps = 'steps:\n  - run: "true"\n';
    await test.addDag('filters', `triggers: [{event: order.*, filter: .data}]\n${steps}`);
    await test.addDag('needs', `triggers: [{event: "*"}]\nparams:\n  - {name: A, required: true}\n${steps}`);
    await test.addDag('other', `triggers: [{event: order.paid}]\n${steps}`);
    await test.addDag('elsewhere', `triggers: [{event: "*", source: /shop}]\nlabels: [workspace=ops]\n${steps}`);
  });
  afterEach(() => test.stop());

  const send = async (as: string) => test.api.send('POST /events', { as, body: event });

  it('says why a DAG was not started: its filter, its parameters', async () => {
    evaluate = () => Promise.resolve({ problem: 'no expression' });

    await expect(send(await test.createKey('admin'))).resolves.toMatchObject({
      status: 200,
      body: {
        events: [
          {
            dags: [
              { fileName: 'elsewhere', outcome: 'started' },
              { fileName: 'filters', outcome: 'refused', message: 'The filter cannot be evaluated: no expression' },
              { fileName: 'needs', outcome: 'refused', message: expect.stringContaining('A') as string },
            ],
          },
        ],
      },
    });
  });

  it('names no DAG to a caller who may run none', async () => {
    evaluate = () => Promise.reject(new Error('must not be asked'));

    await expect(send(await test.createKey('viewer'))).resolves.toMatchObject({
      status: 200,
      body: { events: [{ id: '1', source: '/shop', dags: [] }] },
    });
  });
});
