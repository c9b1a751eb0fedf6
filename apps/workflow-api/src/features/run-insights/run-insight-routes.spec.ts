import type { DagRunDiffResponse, DagRunEnvironmentResponse } from '@weir/workflow-contract/schemas';
import type { DagRun, StepOutputs } from '@weir/workflow-engine/model';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 9, 0, second));
const outputs = (values: Record<string, string>): StepOutputs => ({
  fields: [],
  declared: Object.entries(values).map(([name, value]) => ({ name, value })),
});
const add = async (values: Partial<DagRun>, steps = [aRunStep()], published = outputs({})) => {
  await workflow.server.application.runs.insert(aRun(values), steps, {
    audit: unaudited,
    singleton: false,
    outputs: new Map([[0, published]]),
  });
};
const base = 'env: [{FROM_BASE: hidden}]\n';
const specText = `params: [{name: region, type: string}]
env: [{A: "1"}, {B: "\${params.region}"}]
secrets: [{name: TOKEN, provider: env, key: SOME_KEY}]
steps:
  - {name: fetch, run: "true", env: [{A: "2"}]}
`;

describe('GET /dag-runs/{name}/{dagRunId}/diff', () => {
  const addBoth = async () => {
    await add(
      {
        id: 'a',
        dagRunId: 'a',
        createdAt: at(1),
        startedAt: at(1),
        finishedAt: at(3),
        status: 'succeeded',
        specText,
        resolvedParams: [{ name: 'region', value: 'eu' }],
      },
      [aRunStep({ name: 'fetch', status: 'succeeded', startedAt: at(1), finishedAt: at(2) })],
      outputs({ rows: '1', gone: 'x' }),
    );
    await add(
      {
        id: 'b',
        dagRunId: 'b',
        createdAt: at(10),
        startedAt: at(10),
        finishedAt: at(15),
        status: 'failed',
        specText: specText.replace('{A: "1"}', '{C: "1"}').replace('fetch, run: "true"', 'fetch, run: "false"'),
        resolvedParams: [{ name: 'region', value: 'us' }],
        baseTexts: [base],
      },
      [
        aRunStep({ name: 'fetch', status: 'failed', startedAt: at(10), finishedAt: at(15) }),
        aRunStep({ name: 'store', position: 1, status: 'not_started' }),
      ],
      outputs({ rows: '2', big: 'y'.repeat(20_000) }),
    );
  };

  it('returns 200 with the differences to the previous run', async () => {
    await addBoth();
    const { status, body } = await get('/dag-runs/nightly/b/diff');
    const diff = body as unknown as DagRunDiffResponse;

    expect(status).toBe(200);
    expect(diff).toMatchObject({
      from: { dagRunId: 'a', statusLabel: 'succeeded', durationMs: 2000 },
      to: { dagRunId: 'b', statusLabel: 'failed', durationMs: 5000 },
      spec: { isEqual: false, minimal: true, isBaseEqual: false },
      parameters: [{ name: 'region', change: 'changed', from: 'eu', to: 'us', isCut: false }],
      steps: [
        {
          name: 'fetch',
          change: 'changed',
          from: { durationMs: 1000 },
          to: { statusLabel: 'failed', durationMs: 5000 },
        },
        { name: 'store', change: 'added', to: { statusLabel: 'not_started' } },
      ],
      outputs: [
        { name: 'big', change: 'added', to: 'y'.repeat(16_384), isCut: true },
        { name: 'gone', change: 'removed', from: 'x' },
        { name: 'rows', change: 'changed', from: '1', to: '2' },
      ],
    });
    expect(diff.spec.diff).toContain('-  - {name: fetch, run: "true", env: [{A: "2"}]}\n');
  });

  it('compares environments by name and source, without values', async () => {
    await addBoth();
    const { environment } = (await get('/dag-runs/nightly/b/diff')).body as unknown as DagRunDiffResponse;

    expect(environment.filter(({ change }) => change !== 'equal')).toEqual([
      { name: 'A', source: 'dag', change: 'removed' },
      { name: 'FROM_BASE', source: 'base', change: 'added' },
      { name: 'C', source: 'dag', change: 'added' },
    ]);
    expect(environment).toContainEqual({ name: 'TOKEN', source: 'secret', change: 'equal' });
    expect(environment).toContainEqual({ name: 'A', source: 'step', step: 'fetch', change: 'equal' });
  });

  it('returns 200 for a run of another DAG, which is the older side', async () => {
    await addBoth();
    await add({ id: 'o', dagName: 'other', dagRunId: 'o', createdAt: at(30), specText });

    await expect(get('/dag-runs/nightly/latest/diff?with=o&withName=other')).resolves.toMatchObject({
      status: 200,
      body: { from: { name: 'other', dagRunId: 'o' }, to: { dagRunId: 'b' } },
    });
  });

  it('returns 400 for an invalid id', async () => {
    await expect(get('/dag-runs/nightly/b/diff?with=a/b')).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it.each(['a/diff', 'b/diff?with=none', 'none/diff'])('returns 404 for %s without such a run', async (path) => {
    await addBoth();

    await expect(get(`/dag-runs/nightly/${path}`)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'dag_run_not_found' },
    });
  });

  it('returns 404 for a run of a workspace that is not visible', async () => {
    await addBoth();
    await add({ id: 'w', dagName: 'nightly', dagRunId: 'w', createdAt: at(5), workspace: 'closed' });
    const viewer = await workflow.server.createKey('viewer', { open: 'viewer' });

    await expect(get('/dag-runs/nightly/b/diff?with=w', viewer)).resolves.toMatchObject({ status: 404 });
    await expect(get('/dag-runs/nightly/b/diff', viewer)).resolves.toMatchObject({ body: { from: { dagRunId: 'a' } } });
  });
});

describe('GET /dag-runs/{name}/{dagRunId}/environment', () => {
  it('returns 200 with the sources of all variables, without values that only the server may know', async () => {
    await add({ specText, baseTexts: [base], resolvedParams: [{ name: 'region', value: 'eu' }] });
    const { status, body } = await get('/dag-runs/nightly/run-1/environment');
    const { variables, files } = body as unknown as DagRunEnvironmentResponse;
    const named = (name: string) => variables.filter((variable) => variable.name === name);

    expect(status).toBe(200);
    expect(files).toEqual(['.env']);
    expect(named('PATH')).toEqual([{ name: 'PATH', source: 'host', isReplaced: false }]);
    expect(named('region')).toEqual([
      { name: 'region', source: 'parameter', value: 'eu', resolved: 'eu', isReplaced: false },
    ]);
    expect(named('FROM_BASE')).toEqual([{ name: 'FROM_BASE', source: 'base', isReplaced: false }]);
    expect(named('B')).toEqual([
      { name: 'B', source: 'dag', value: '${params.region}', resolved: 'eu', isReplaced: false },
    ]);
    expect(named('TOKEN')).toEqual([{ name: 'TOKEN', source: 'secret', value: '*****', isReplaced: false }]);
    expect(named('DAG_RUN_ID')).toEqual([
      { name: 'DAG_RUN_ID', source: 'run', value: 'run-1', resolved: 'run-1', isReplaced: false },
    ]);
    expect(named('A')).toEqual([
      { name: 'A', source: 'dag', value: '1', resolved: '1', isReplaced: false },
      { name: 'A', source: 'step', step: 'fetch', value: '2', isReplaced: false },
    ]);
    expect(JSON.stringify(body)).not.toContain('hidden');
  });

  it('returns 200 and reports which entry does not count', async () => {
    const text = specText.replace('{A: "1"}', '{HOME: /elsewhere}');
    await add({ specText: text });
    const { variables } = (await get('/dag-runs/nightly/run-1/environment'))
      .body as unknown as DagRunEnvironmentResponse;

    expect(variables.filter(({ name }) => name === 'HOME')).toMatchObject([
      { source: 'host', isReplaced: true },
      { source: 'dag', isReplaced: false },
    ]);
  });

  describe('of a step', () => {
    const text = `params: [{name: region, type: string}]
env: [{WHO: "\${FROM_BASE}-\${IN_FILE}"}, {LONG: ${'x'.repeat(5_000)}}]
secrets: [{name: TOKEN, provider: env, key: SOME_KEY}]
steps:
  - {name: fetch, id: fetch, run: "true", output: ROWS}
  - name: store
    run: "true"
    env: [{LINE: "\${params.region} \${ROWS} \${fetch.exit_code} \${WHO} \${TOKEN}"}, {ROWS: "\${ROWS}0"}]
    depends: fetch
`;
    const addText = () =>
      add(
        {
          specText: text,
          baseTexts: [base],
          fileVariables: ['IN_FILE'],
          resolvedParams: [{ name: 'region', value: 'eu' }],
        },
        [
          aRunStep({ name: 'fetch', status: 'succeeded', startedAt: at(1), finishedAt: at(2), exitCode: 0 }),
          aRunStep({ name: 'store', position: 1 }),
        ],
        { fields: [], declared: [], variable: { name: 'ROWS', value: '7' } },
      );
    const read = async (query = '?step=store') =>
      (await get(`/dag-runs/nightly/run-1/environment${query}`)).body as unknown as DagRunEnvironmentResponse;

    it('returns 200 with the values that it got, without withheld ones', async () => {
      await addText();
      const { variables, total } = await read();
      const named = (name: string) => variables.filter((variable) => variable.name === name);

      expect(total).toBe(variables.length);
      expect(named('LINE')).toMatchObject([
        { source: 'step', step: 'store', resolved: 'eu 7 0 *****-***** *****', isReplaced: false },
      ]);
      expect(named('ROWS')).toMatchObject([
        { source: 'output', isReplaced: true },
        { source: 'step', resolved: '70', isReplaced: false },
      ]);
      expect(named('IN_FILE')).toEqual([{ name: 'IN_FILE', source: 'file', isReplaced: false }]);
      expect(named('DAG_RUN_STEP_NAME')).toMatchObject([{ source: 'run', resolved: 'store' }]);
      expect(named('LONG')).toMatchObject([{ resolved: 'x'.repeat(4_096), isCut: true }]);
      expect(JSON.stringify(variables)).not.toContain('hidden');
    });

    it('returns 200 without outputs of steps that it does not depend on', async () => {
      await addText();
      const { variables } = await read('?step=fetch');

      expect(variables.filter(({ source }) => source === 'output' || source === 'step')).toEqual([]);
    });

    it('returns 404 for an unknown step', async () => {
      await addText();
      await expect(get('/dag-runs/nightly/run-1/environment?step=none')).resolves.toMatchObject({
        status: 404,
        body: { reason: 'step_not_found' },
      });
    });
  });

  it('returns 404 for an unknown run', async () => {
    await expect(get('/dag-runs/nightly/none/environment')).resolves.toMatchObject({ status: 404 });
  });
});
