import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import type { Weir } from '../support/weir-server';

onEachDatabase((start) => {
  let weir: Weir;
  let open: Weir;
  let admin: string;

  beforeAll(async () => {
    [weir, open] = await Promise.all([
      start({ env: { WEIR_SKIP_EXAMPLES: 'true' } }),
      start({ env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_METRICS: 'public', WEIR_METRICS_PREFIX: 'dagu_' } }),
    ]);
    admin = await setUpAdmin(weir);
    const spec = 'name: counted\nsteps:\n  - run: "true"\n';
    const { dagRunId } = await weir.createClient(admin).executeDagRunFromSpec({ body: { spec } });
    await endOfRun(weir, admin, 'counted', dagRunId);
  }, 60_000);

  afterAll(() => Promise.all([weir.dispose(), open.dispose()]));

  describe('GET /metrics', () => {
    it('returns 200 with runs, durations and the process', async () => {
      const { status, body } = await weir.request('GET', '/metrics', { token: admin });

      expect(status).toBe(200);
      expect(body).toContain('weir_dag_runs_total{status="succeeded"} 1\n');
      expect(body).toContain('weir_dag_run_duration_seconds_count{dag="counted"} 1\n');
      expect(body).toContain('weir_scheduler_running 1\n');
      expect(body).toContain('process_resident_memory_bytes ');
    });

    it('returns 401 without a credential, unless the metrics are public', async () => {
      expect(await weir.request('GET', '/metrics')).toMatchObject({ status: 401 });
      const { status, body } = await open.request('GET', '/metrics');
      expect(status).toBe(200);
      expect(body).toContain('dagu_dag_runs_queued_total 0\n');
      expect(await open.request('GET', '/dags')).toMatchObject({ status: 401 });
    });
  });
});
