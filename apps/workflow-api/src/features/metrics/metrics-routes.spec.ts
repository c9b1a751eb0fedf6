import { aRun, aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';

let test: TestWorkflow;

const read = async (): Promise<readonly string[]> => {
  const response = await fetch(`${test.api.url}/api/v1/metrics`, {
    headers: { authorization: `Bearer ${await test.createKey('viewer')}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return (await response.text()).split('\n');
};
const add = (id: string, values: Parameters<typeof aRun>[0] = {}) =>
  test.application.runs.insert(aRun({ id, dagRunId: id, createdAt: new Date(), ...values }), [aRunStep()], {
    audit: unaudited,
    singleton: false,
  });

describe('GET /metrics', () => {
  afterEach(() => test.stop());

  it('returns 200 with runs by status and DAG', async () => {
    test = await createTestWorkflow();
    await test.addDag('nightly', 'steps:\n  - run: "true"\n');
    await add('a', { status: 'queued', dagName: 'nightly' });
    await add('b', { status: 'failed', dagName: 'nightly' });
    await add('c', { status: 'failed', dagName: 'yesterday', createdAt: new Date(0) });

    const lines = await read();
    expect(lines).toEqual(
      expect.arrayContaining([
        'weir_dag_runs_queued_total 1',
        'weir_dag_runs_currently_running 0',
        'weir_dag_runs_total{status="failed"} 1',
        'weir_dag_runs_total_by_dag{dag="nightly",status="queued"} 1',
        'weir_dag_runs_queued_by_dag{dag="nightly"} 1',
        'weir_dags_total 1',
        'weir_scheduler_running 0',
      ]),
    );
    expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true);
    expect(lines.some((line) => line.includes('yesterday'))).toBe(false);
  });

  it('counts the durations of ended runs, once', async () => {
    test = await createTestWorkflow();
    const startedAt = new Date(Date.now() - 4_000);
    await add('a', { status: 'running', ownerId: 'one', fencingToken: 1, startedAt, queuedAt: startedAt });
    await read();
    const end = { status: 'succeeded', finishedAt: new Date(startedAt.getTime() + 4_000), error: null } as const;
    await test.application.runs.commit('a', toOwnerEvent({ ownerId: 'one', token: 1 }, [], end), { audit: unaudited });
    const counted = expect.arrayContaining([
      'weir_dag_run_duration_seconds_bucket{le="5",dag="nightly"} 1',
      'weir_dag_run_duration_seconds_sum{dag="nightly"} 4',
      'weir_queue_wait_seconds_count{dag="nightly"} 1',
    ]) as unknown;

    expect(await read()).toEqual(counted);
    expect(await read()).toEqual(counted);
  });

  it('begins names with the configured prefix', async () => {
    test = await createTestWorkflow({ config: { metrics: { isPublic: false, prefix: 'dagu_' } } });
    const lines = await read();

    expect(lines).toContain('dagu_dag_runs_queued_total 0');
    expect(lines.some((line) => line.startsWith('weir_'))).toBe(false);
  });
});
