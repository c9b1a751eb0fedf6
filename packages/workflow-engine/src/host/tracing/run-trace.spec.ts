import type { DagRunStep } from '../../model/run-model/dag-run';
import { aRun, aRunStep } from '../../testing/run-builders';
import { createRunTrace, type TraceSources } from './run-trace';
import { runSpanId, stepSpanId, traceIdOf, traceParent } from '../../values/run-values/trace-ids';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const run = aRun({ id: 'r', dagRunId: 'one', startedAt: at(10), attempt: 2 });
const step = (values: Partial<DagRunStep>): DagRunStep =>
  aRunStep({ status: 'succeeded', startedAt: at(11), finishedAt: at(12), exitCode: 0, ...values });
const trace = (values: Partial<TraceSources> = {}) =>
  createRunTrace({
    run,
    root: run,
    steps: [],
    end: { status: 'succeeded', finishedAt: at(20), error: null },
    ...values,
  });

describe('createRunTrace', () => {
  it('has a span of the run, from its start to its end', () => {
    const { traceId, spans } = trace();

    expect(traceId).toBe(traceIdOf(run));
    expect(spans).toEqual([
      {
        id: runSpanId(run),
        name: 'nightly',
        startedAt: at(10),
        endedAt: at(20),
        attributes: {
          'weir.dag.name': 'nightly',
          'weir.run.id': 'one',
          'weir.run.attempt': 2,
          'weir.run.status': 'succeeded',
          'weir.run.trigger': 'manual',
        },
      },
    ]);
  });

  it('has a span below it for each step that started in this attempt', () => {
    const steps = [
      step({ position: 0, startedAt: at(1), finishedAt: at(2) }),
      step({ position: 1, status: 'failed', exitCode: 3, error: 'exit status 3', retryCount: 1 }),
      aRunStep({ position: 2, status: 'aborted' }),
    ];
    const [, ...spans] = trace({ steps }).spans;

    expect(spans).toEqual([
      {
        id: stepSpanId(run, '1'),
        parentId: runSpanId(run),
        name: 'step-1',
        startedAt: at(11),
        endedAt: at(12),
        error: 'exit status 3',
        attributes: {
          'weir.step.name': 'step-1',
          'weir.step.status': 'failed',
          'weir.step.retries': 1,
          'process.exit.code': 3,
        },
      },
    ]);
  });

  it('puts iterations below their loop, and handlers below the run', () => {
    const steps = [
      step({ scope: '3/0.1.0', position: 2 }),
      step({ scope: '3/0/1/4', position: 0 }),
      step({ scope: 'on/exit' }),
    ];

    expect(
      trace({ steps })
        .spans.slice(1)
        .map(({ parentId }) => parentId),
    ).toEqual([stepSpanId(run, '3'), stepSpanId(run, '3/0/1'), runSpanId(run)]);
  });

  it('puts a child run into the trace of its root, below the step that started it', () => {
    const parent = { id: 'p', attempt: 3 };
    const child = { ...run, parentId: 'p', parentNode: '2/0/1' };
    const { traceId, spans } = trace({ run: child, root: { id: 'root', attempt: 4 }, parent });

    expect(traceId).toBe(traceIdOf({ id: 'root', attempt: 4 }));
    expect(spans[0]?.parentId).toBe(stepSpanId(parent, '2/0/1'));
  });

  it('ends a step without an end together with the run, and states why the run failed', () => {
    const [whole, part] = trace({
      steps: [step({ status: 'running', finishedAt: null })],
      end: { status: 'failed', finishedAt: at(20), error: 'run timed out' },
    }).spans;

    expect(part).toMatchObject({ endedAt: at(20), error: undefined });
    expect(whole).toMatchObject({ error: 'run timed out' });
  });
});

describe('trace ids', () => {
  it('have the form of W3C Trace Context, and differ for each attempt', () => {
    const [first, second] = [
      { id: 'r', attempt: 1 },
      { id: 'r', attempt: 2 },
    ];

    expect(traceParent(traceIdOf(first), stepSpanId(first, '0'))).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(new Set([first, second].flatMap((each) => [runSpanId(each), stepSpanId(each, '0')])).size).toBe(4);
    expect(traceIdOf(first)).not.toBe(traceIdOf(second));
  });
});
