import { waitFor } from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import { startWeir, type Weir } from '../support/weir-server';

describe('the examples of a first start', () => {
  let weir: Weir;
  let token: string;

  beforeAll(async () => {
    weir = await startWeir();
    token = await setUpAdmin(weir);
  }, 60_000);

  afterAll(() => weir.dispose());

  const begin = async (name: string): Promise<string> => {
    const { body } = await weir.request('POST', `/dags/${name}/start`, { token, body: {} });
    return (body as { readonly dagRunId: string }).dagRunId;
  };
  const readLog = async (name: string, id: string, step: string): Promise<unknown> =>
    (await weir.request('GET', `/dag-runs/${name}/${id}/steps/${step}/log?stream=stdout`, { token })).body;

  it('fetches in parallel, retries a failed fetch, and merges', async () => {
    const run = await endOfRun(weir, token, 'merge-sources', await begin('merge-sources'));

    expect(run.statusLabel).toBe('succeeded');
    expect(run.nodes.map(({ step, retryCount }) => [step.name, retryCount])).toContainEqual(['fetch_shop', 1]);
    await expect(readLog('merge-sources', run.dagRunId, 'report')).resolves.toMatchObject({
      content: '3 prices, 13.20 in all',
    });
  });

  it('fans out over a list and collects the result of each iteration', async () => {
    const run = await endOfRun(weir, token, 'fan-out-regions', await begin('fan-out-regions'));

    expect(run.statusLabel).toBe('succeeded');
    await expect(readLog('fan-out-regions', run.dagRunId, 'sum')).resolves.toMatchObject({
      content: expect.stringContaining('18') as string,
    });
  });

  it('waits for a person before it publishes', async () => {
    const id = await begin('release-approval');
    const address = `/dag-runs/release-approval/${id}`;
    const waits = async (): Promise<boolean> => {
      const { body } = await weir.request('GET', address, { token });
      return (
        (body as { readonly dagRunDetails: { readonly statusLabel: string } }).dagRunDetails.statusLabel === 'waiting'
      );
    };
    await waitFor(waits, { what: 'the run to wait', deadlineMs: 20_000 });

    const answer = { inputs: { VERSION: '1.2.0' } };
    await expect(
      weir.request('POST', `${address}/steps/review/approve`, { token, body: answer }),
    ).resolves.toMatchObject({
      status: 200,
    });

    expect((await endOfRun(weir, token, 'release-approval', id)).statusLabel).toBe('succeeded');
    await expect(readLog('release-approval', id, 'publish')).resolves.toMatchObject({
      content: 'published version 1.2.0',
    });
  });
});
