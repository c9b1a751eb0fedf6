import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Step } from '@weir/workflow-spec';
import { createLocalCommandExecutor } from '../host/local-command/local-command-executor';
import { processIdentity } from '../host/local-command/process-identity';
import { runLogLayout } from '../model/run-model/log-layout';
import { planDag } from '../model/plan/plan';
import { executeSteps } from './execute-scope';
import type { ScopeOutcome } from './loop/step-loop-options';
import { stepEnvironment } from '../values/environment/step-environment';
import type { RunRecorder, StepChange } from '../model/steps/step-change';
import type { StepExecutor } from './loop/step-execution';
import { systemTimer } from '../model/ports/timer';

const clock = { now: () => new Date() };
let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'weir-run-spec-')));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const aStep = (name: string, command: string, depends: readonly string[] = []): Step => ({
  name,
  run: { kind: 'commands', commands: [command] },
  depends,
  env: [{ name: 'GREETING', value: `from ${name}` }],
});

/** What an application does: works out each step and hands it to the executor. */
const run = async (
  steps: readonly Step[],
  recorder: RunRecorder,
  signal = new AbortController().signal,
): Promise<ScopeOutcome> => {
  const createdAt = new Date(0);
  const stepNames = steps.map(({ name }) => name);
  const layout = runLogLayout({ logDir: join(folder, 'logs'), dagName: 'demo', runId: 'r1', createdAt, stepNames });
  const local = createLocalCommandExecutor({ clock, killGraceMs: 200 });
  const executor: StepExecutor = {
    execute: (step, context) => {
      const files = layout.steps[context.index] ?? { stdoutFile: '', stderrFile: '' };
      if (step.run.kind !== 'commands' && step.run.kind !== 'script') throw new Error('Not for this executor.');
      const command = {
        run: step.run,
        shell: ['/bin/sh'],
        isStepShell: false,
        cwd: join(folder, 'work'),
        env: stepEnvironment(
          { PATH: '/usr/local/bin:/usr/bin:/bin' },
          Object.fromEntries(step.env.map(({ name, value }) => [name, value])),
          {
            dagName: 'demo',
            runId: 'r1',
            runLogFile: layout.runLogFile,
            workDir: join(folder, 'work'),
            params: [],
            stepName: step.name,
            ...files,
          },
        ),
        ...files,
      };
      return local.run(command, context);
    },
  };
  const unasked = () => Promise.reject(new Error('not asked'));
  const checks = {
    preconditions: unasked,
    conditions: unasked,
    hasWritten: unasked,
    retryLimits: unasked,
    repeatLimits: unasked,
  };
  const plan = planDag(steps);
  return executeSteps({ plan, executor, checks, recorder, clock, timer: systemTimer, signal, maxActiveSteps: 0 });
};

const aRecorder = () => {
  const changes: StepChange[] = [];
  const stepsChanged = (batch: readonly StepChange[]) => {
    changes.push(...batch);
    return Promise.resolve();
  };
  return { changes, stepsChanged };
};

describe('a run of real processes', () => {
  it('runs branches side by side and joins them in order', async () => {
    const recorder = aRecorder();
    const meet = (own: string, other: string) => `touch ${own}; until [ -e ${other} ]; do sleep 0.01; done; echo ok`;

    const outcome = await run(
      [
        aStep('report', 'cat sum > "$DAG_RUN_WORK_DIR/report"; echo "$GREETING in $WEIR_RUN_ID"', ['merge']),
        aStep('left', meet('l', 'r')),
        aStep('right', meet('r', 'l')),
        aStep('merge', 'ls l r > sum', ['left', 'right']),
      ],
      recorder,
    );

    expect(outcome.status).toBe('succeeded');
    expect(await readFile(join(folder, 'work', 'report'), 'utf8')).toBe('l\nr\n');
    const log = join(folder, 'logs', 'demo', '19700101T000000000Z_r1', '0000-report.out');
    expect(await readFile(log, 'utf8')).toBe('from report in r1\n');
    expect(recorder.changes.filter(({ kind }) => kind === 'process_started')).toHaveLength(4);
  });

  it('fails with the error of the failed step and does not start its dependents', async () => {
    const recorder = aRecorder();

    const outcome = await run([aStep('a', 'echo no >&2; exit 9'), aStep('b', 'touch b', ['a'])], recorder);

    expect(outcome.status).toBe('failed');
    expect(recorder.changes).toMatchObject([
      { kind: 'starting', stepName: 'a' },
      { kind: 'process_started', stepName: 'a' },
      { kind: 'ended', stepName: 'a', outcome: { exitCode: 9, error: 'exit status 9: no' } },
      { kind: 'not_started', stepName: 'b', error: 'upstream failed' },
    ]);
  });

  it('leaves no process behind when it is stopped', async () => {
    const stop = new AbortController();
    const recorder = aRecorder();
    const isUp = new Promise<number>((resolve) => {
      const { stepsChanged } = recorder;
      recorder.stepsChanged = (batch) => {
        for (const change of batch) if (change.kind === 'process_started') resolve(change.process.pid);
        return stepsChanged(batch);
      };
    });
    const outcome = run([aStep('a', 'sleep 300'), aStep('b', 'true', ['a'])], recorder, stop.signal);
    const pid = await isUp;
    stop.abort();

    expect((await outcome).status).toBe('aborted');
    expect(await processIdentity(pid)).toBeUndefined();
  });

  it('leaves no process behind when its recorder fails', async () => {
    const pids: number[] = [];
    const recorder: RunRecorder = {
      stepsChanged: (batch) => {
        for (const change of batch) if (change.kind === 'process_started') pids.push(change.process.pid);
        return pids.length === 0 ? Promise.resolve() : Promise.reject(new Error('disk full'));
      },
    };

    await expect(run([aStep('a', 'sleep 300')], recorder)).rejects.toThrow('disk full');
    expect(await processIdentity(pids[0] ?? 0)).toBeUndefined();
  });
});
