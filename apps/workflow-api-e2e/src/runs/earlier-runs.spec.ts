import { writeFile } from 'node:fs/promises';
import type { DagRunDiffResponse, DagRunEnvironmentResponse } from '@weir/workflow-contract/schemas';
import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import type { Weir } from '../support/weir-server';

const specOf = (version: number, envFile = '.env') => `
dotenv: ["${envFile}"]
params: [{name: count, type: integer, default: 1}]
env: [{VERSION: "${version}"}]
secrets: [{name: TOKEN, provider: env, key: A_TOKEN}]
steps:
  - name: publish
    env: [{TARGET: "\${VERSION}-\${params.count}-\${TOKEN}-\${FROM_FILE}"}]
    run: echo "total=$((${version} + \${params.count})) $TOKEN"
    output: RESULT
`;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true', A_TOKEN: 'hunter2222' } });
    admin = await setUpAdmin(weir);
    const client = weir.createClient(admin);
    const envFile = weir.home.file('own.env');
    await writeFile(envFile, 'FROM_FILE="in the file"\n');
    for (const [dagRunId, version, count] of [
      ['first', 1, 1],
      ['second', 2, 5],
    ] as const) {
      await client.executeDagRunFromSpec({
        body: { name: 'compared', spec: specOf(version, envFile), params: `count=${count}`, dagRunId },
      });
      expect(await endOfRun(weir, admin, 'compared', dagRunId)).toMatchObject({ statusLabel: 'succeeded' });
    }
  }, 60_000);

  afterAll(() => weir.dispose());

  const get = (path: string, token: string | undefined = admin) => weir.request('GET', path, { token });

  describe('GET /dag-runs/{name}/{dagRunId}/diff', () => {
    it('returns 200 with the differences from the run before', async () => {
      const { status, body } = await get('/dag-runs/compared/second/diff');
      const { from, to, spec, parameters, steps, outputs } = body as DagRunDiffResponse;

      expect(status).toBe(200);
      expect([from.dagRunId, to.dagRunId]).toEqual(['first', 'second']);
      expect(spec).toMatchObject({ isEqual: false, isBaseEqual: true });
      expect(spec.diff).toContain('-env: [{VERSION: "1"}]\n+env: [{VERSION: "2"}]\n');
      expect(parameters).toMatchObject([{ name: 'count', change: 'changed', from: '1', to: '5' }]);
      expect(steps).toMatchObject([{ name: 'publish', change: 'equal' }]);
      expect(outputs).toMatchObject([
        { name: 'result', change: 'changed', from: 'total=2 *****', to: 'total=7 *****', isCut: false },
      ]);
      expect(JSON.stringify(body)).not.toContain('hunter2222');
    });

    it('returns 200 without differences for the run itself', async () => {
      const { parameters, outputs, spec } = (await get('/dag-runs/compared/first/diff?with=first'))
        .body as DagRunDiffResponse;

      expect(spec).toMatchObject({ isEqual: true, diff: '' });
      expect([...parameters, ...outputs].map(({ change }) => change)).toEqual(['equal', 'equal']);
    });

    it('returns 404 without a run before', async () => {
      expect(await get('/dag-runs/compared/first/diff')).toMatchObject({
        status: 404,
        body: { reason: 'dag_run_not_found' },
      });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/environment', () => {
    it('returns 200 with the variables and their sources', async () => {
      const { status, body } = await get('/dag-runs/compared/second/environment');
      const { variables } = body as DagRunEnvironmentResponse;

      expect(status).toBe(200);
      expect(variables).toContainEqual({
        name: 'VERSION',
        source: 'dag',
        value: '2',
        resolved: '2',
        isReplaced: false,
      });
      expect(variables).toContainEqual({
        name: 'count',
        source: 'parameter',
        value: '5',
        resolved: '5',
        isReplaced: false,
      });
      expect(variables).toContainEqual({ name: 'TOKEN', source: 'secret', value: '*****', isReplaced: false });
      expect(JSON.stringify(body)).not.toContain('hunter2222');
    });

    it('returns 200 with the values that a step received, and names the variables of environment files', async () => {
      const { status, body } = await get('/dag-runs/compared/second/environment?step=publish');
      const { variables } = body as DagRunEnvironmentResponse;

      expect(status).toBe(200);
      expect(variables).toContainEqual({ name: 'FROM_FILE', source: 'file', isReplaced: false });
      expect(variables.find(({ name }) => name === 'TARGET')).toMatchObject({
        source: 'step',
        step: 'publish',
        resolved: '2-5-*****-*****',
      });
      expect(JSON.stringify(body)).not.toContain('in the file');
      expect(JSON.stringify(body)).not.toContain('hunter2222');
    });

    it('returns 400 for another node, 401 without a credential and 404 for an unknown run', async () => {
      expect(await get('/dag-runs/compared/second/environment?remoteNode=other')).toMatchObject({ status: 400 });
      expect(await weir.request('GET', '/dag-runs/compared/second/environment')).toMatchObject({ status: 401 });
      expect(await get('/dag-runs/compared/none/environment')).toMatchObject({ status: 404 });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/environment', () => {
    it('returns 200 with the values of the child run, and 404 for an unknown one', async () => {
      const spec =
        'name: above\nsteps:\n  - call: below\n---\nname: below\nenv: [{LEVEL: "${context.run.root_name}"}]\nsteps:\n  - run: "true"\n';
      const client = weir.createClient(admin);
      const { dagRunId } = await client.executeDagRunFromSpec({ body: { spec } });
      await endOfRun(weir, admin, 'above', dagRunId);
      const { subRuns } = await client.getSubDagRuns({ params: { name: 'above', dagRunId } });
      const address = `/dag-runs/above/${dagRunId}/sub-dag-runs`;
      const { status, body } = await get(`${address}/${subRuns[0]?.dagRunId}/environment`);

      expect(status).toBe(200);
      expect((body as DagRunEnvironmentResponse).variables).toContainEqual({
        name: 'LEVEL',
        source: 'dag',
        value: '${context.run.root_name}',
        resolved: 'above',
        isReplaced: false,
      });
      expect(await get(`${address}/none/environment`)).toMatchObject({ status: 404 });
      expect(await get(`${address}/none/environment?remoteNode=other`)).toMatchObject({ status: 400 });
      expect(await weir.request('GET', `${address}/none/environment`)).toMatchObject({ status: 401 });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/neighbours', () => {
    it('returns 200 with the runs before and after, if they exist', async () => {
      expect(await get('/dag-runs/compared/first/neighbours')).toMatchObject({ status: 200, body: { next: 'second' } });
      const { body } = await get('/dag-runs/compared/latest/neighbours');
      expect(body).toEqual({ previous: 'first' });
    });

    it('returns 404 for an unknown run', async () => {
      expect(await get('/dag-runs/compared/none/neighbours')).toMatchObject({ status: 404 });
    });
  });

  describe('GET /run-failures', () => {
    it('returns 200 with the step that failed and the last line of its log', async () => {
      const spec = 'name: broken\nsteps:\n  - {name: load, run: "echo reading; echo no such table >&2; exit 3"}\n';
      const { dagRunId } = await weir.createClient(admin).executeDagRunFromSpec({ body: { spec } });
      await endOfRun(weir, admin, 'broken', dagRunId);

      expect(await get('/run-failures')).toMatchObject({
        status: 200,
        body: {
          failures: [
            {
              run: { name: 'broken', dagRunId, statusLabel: 'failed' },
              step: { name: 'load', exitCode: 3, lastLine: 'no such table' },
            },
          ],
        },
      });
      expect(await get('/dag-runs?name=broken')).toMatchObject({ body: { dagRuns: [{ failedStep: 'load' }] } });
      expect(await get('/dag-runs/broken')).toMatchObject({ body: { dagRuns: [{ failedStep: 'load' }] } });
    });
  });

  describe('GET /dags/{fileName}/recent-params', () => {
    it('returns 200 with the parameters of earlier runs', async () => {
      await weir.createClient(admin).createNewDag({ body: { name: 'compared', spec: specOf(3) } });

      expect(await get('/dags/compared/recent-params')).toMatchObject({
        status: 200,
        body: {
          recent: [
            { params: 'count=5', dagRunId: 'second' },
            { params: 'count=1', dagRunId: 'first' },
          ],
        },
      });
    });

    it('returns 404 for an unknown DAG', async () => {
      expect(await get('/dags/none/recent-params')).toMatchObject({ status: 404 });
    });
  });
});
