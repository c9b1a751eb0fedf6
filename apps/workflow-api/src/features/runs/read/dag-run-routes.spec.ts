import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { badRequest, unauthorized } from '../../../testing/answers';
import { useWorkflow } from '../../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const now = new Date();
const add = (values: Parameters<typeof aRun>[0] = {}, steps = [aRunStep()]) =>
  workflow.server.application.runs.insert(aRun({ createdAt: now, ...values }), steps, {
    audit: unaudited,
    singleton: false,
  });
const runNotFound = { status: 404, body: { code: 'not_found', reason: 'dag_run_not_found' } };

const addresses = [
  '/dag-runs',
  '/dag-runs/nightly',
  '/dag-runs/nightly/run-1',
  '/dag-runs/nightly/run-1/log',
  '/dag-runs/nightly/run-1/steps/extract/log',
] as const;

describe.each(addresses)('GET %s', (address) => {
  beforeEach(() => add());

  it('returns 401 without a credential', async () => {
    await expect(workflow.server.api.send(`GET ${address}`)).resolves.toMatchObject(unauthorized);
  });

  it('returns 400 for another node', async () => {
    await expect(get(`${address}?remoteNode=elsewhere`)).resolves.toMatchObject(badRequest('remote_node_unknown'));
  });

  it('returns 200 to a viewer', async () => {
    await expect(get(`${address}?remoteNode=local`, await workflow.server.createKey('viewer'))).resolves.toMatchObject({
      status: 200,
    });
  });
});

describe('GET /dag-runs/{name}/{dagRunId}', () => {
  const specText =
    'steps:\n  - name: extract\n    run: echo hello\n  - name: load\n    depends: extract\n    run: "true"\n';
  const steps = () => [
    aRunStep({
      status: 'failed',
      startedAt: now,
      finishedAt: now,
      exitCode: 1,
      error: 'exit status 1',
      stdoutFile: '/o',
      stderrFile: '/e',
    }),
    aRunStep({ position: 1, name: 'load', status: 'aborted', error: 'upstream failed' }),
  ];

  describe('200', () => {
    it('shows the run with its steps in the order of the spec', async () => {
      await workflow.server.addDag('nightly', specText);
      await add({ status: 'failed', specText, logFile: '/log', error: 'owner lost' }, steps());
      const { body } = await get('/dag-runs/nightly/run-1');

      expect(body.dagRunDetails).toMatchObject({
        dagRunId: 'run-1',
        statusLabel: 'failed',
        rootDAGRunName: 'nightly',
        rootDAGRunId: 'run-1',
        log: '/log',
        error: 'owner lost',
        specFromFile: true,
        sourceFileName: 'nightly',
        nodes: [
          {
            step: { name: 'extract', commands: [{ command: 'echo hello' }] },
            status: 2,
            statusLabel: 'failed',
            exitCode: 1,
            error: 'exit status 1',
            stdout: '/o',
            stderr: '/e',
            retryCount: 0,
            doneCount: 0,
            subRuns: [],
          },
          { step: { name: 'load', depends: ['extract'] }, status: 3, startedAt: '', error: 'upstream failed' },
        ],
      });
    });

    it('accepts "latest" for the newest run', async () => {
      await add({ id: 'a' });
      await add({ id: 'b' });

      await expect(get('/dag-runs/nightly/latest')).resolves.toMatchObject({
        body: { dagRunDetails: { dagRunId: 'b' } },
      });
    });

    it('omits the source when the file is missing', async () => {
      await add();
      const { body } = await get('/dag-runs/nightly/run-1');

      expect(body.dagRunDetails).not.toHaveProperty('specFromFile');
    });
  });

  it('returns 400 for an invalid id', async () => {
    await expect(get('/dag-runs/nightly/a%20b')).resolves.toMatchObject(badRequest('request_invalid'));
  });

  describe('404', () => {
    it('is for a run that does not exist, and for one that is not visible', async () => {
      await add({ workspace: 'dev' });
      const as = await workflow.server.createKey('viewer', { ops: 'viewer' });

      await expect(get('/dag-runs/nightly/other')).resolves.toMatchObject(runNotFound);
      await expect(get('/dag-runs/other/latest')).resolves.toMatchObject(runNotFound);
      await expect(get('/dag-runs/nightly/run-1', as)).resolves.toMatchObject(runNotFound);
      await expect(get('/dag-runs/nightly/latest', as)).resolves.toMatchObject(runNotFound);
      await expect(get('/dag-runs/nightly/run-1/log', as)).resolves.toMatchObject(runNotFound);
      await expect(get('/dag-runs/nightly/run-1/steps/extract/log', as)).resolves.toMatchObject(runNotFound);
    });
  });
});
