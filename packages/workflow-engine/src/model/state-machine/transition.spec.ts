import type { DagRunStep } from '../run-model/dag-run';
import { newStep } from '../run-model/new-step';
import { runStatus, type RunStatus } from '../statuses/run-status';
import type { RunEvent, RunState } from './run-event';
import { ownerTransition } from './owner-transitions';
import { transition } from './transition';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const lease = { ownerId: 'worker', token: 3 };
const end = { status: 'succeeded', finishedAt: at(9), error: null } as const;

function aState(values: Partial<RunState> = {}): RunState {
  return {
    status: 'running',
    ownerId: 'worker',
    fencingToken: 3,
    stopRequestedAt: null,
    queuedAt: at(0),
    createdAt: at(0),
    startedAt: at(1),
    finishedAt: null,
    error: null,
    attempt: 1,
    autoRetryCount: 0,
    retryAt: null,
    waitingSteps: [],
    ...values,
  };
}

function aStep(values: Partial<DagRunStep> = {}): DagRunStep {
  return { ...newStep({ scope: '', position: 0, name: 'review', stdoutFile: '', stderrFile: '' }), ...values };
}

const step = aStep({ status: 'waiting' });
const stop = { kind: 'stop_requested', at: at(5), error: 'run stopped' } as const;
const retry = {
  kind: 'retried',
  at: at(5),
  attempt: 1,
  by: 'manual',
  reusedSteps: 2,
  steps: [aStep({ status: 'failed', exitCode: 3 })],
} as const;
const approve = { kind: 'approved', step, at: at(5), by: 'ada', inputs: {} } as const;
const ownerEvents: readonly RunEvent[] = [
  { kind: 'released', lease },
  { kind: 'steps_changed', lease, patches: [] },
  { kind: 'steps_added', lease, steps: [] },
  { kind: 'params_resolved', lease, params: [] },
  { kind: 'ended', lease, patches: [], ...end },
  { kind: 'suspended', lease, patches: [], waitingSteps: 1 },
];
const otherEvents: readonly RunEvent[] = [
  { kind: 'claimed', ownerId: 'other', at: at(5) },
  stop,
  { kind: 'dequeue_requested', at: at(5), error: 'run stopped' },
  retry,
  approve,
  { kind: 'rejected', step, at: at(5), by: 'ada' },
  { kind: 'pushed_back', step, at: at(5), by: 'ada', inputs: {}, rewound: [step] },
  { kind: 'task_completed', step, at: at(5), by: 'ada', outputs: { fields: [], declared: [] } },
  { kind: 'child_ended', step, at: at(5) },
];
const kindsOfEffects = (state: RunState, event: RunEvent) => transition(state, event)?.effects.map(({ kind }) => kind);

describe('every event', () => {
  it.each([...ownerEvents, ...otherEvents].map((event) => [event.kind, event] as const))(
    'moves a run only as the table allows: %s',
    (_, event) => {
      for (const status of runStatus.all) {
        const next = transition(aState({ status, waitingSteps: [step] }), event)?.patch.status ?? status;
        expect(next === status || runStatus.canMove(status, next)).toBe(true);
      }
    },
  );
});

describe('events of the owner', () => {
  it.each(ownerEvents.map((event) => [event.kind, event] as const))('are refused without the lease: %s', (_, event) => {
    expect(transition(aState(), event)).toBeDefined();
    expect(transition(aState({ ownerId: 'other' }), event)).toBeUndefined();
    expect(transition(aState({ fencingToken: 4 }), event)).toBeUndefined();
    expect(transition(aState({ status: 'queued' }), event)).toBeUndefined();
  });

  it('name the lease that must still hold when they are stored', () => {
    const { expected } = ownerTransition({ kind: 'steps_changed', lease, patches: [] });
    expect(expected).toEqual({ status: 'running', ownerId: 'worker', fencingToken: 3 });
  });

  it('end a run, free its slot and wake its parent', () => {
    const ended = { kind: 'ended', lease, patches: [], ...end } as const;
    expect(ownerTransition(ended)).toMatchObject({ patch: end, expected: { status: 'running' } });
    expect(kindsOfEffects(aState(), ended)).toEqual(['leave_queue', 'wake_parent', 'notify_waiters']);
  });

  it('plan an automatic retry unless a stop was requested', () => {
    const failed = { kind: 'ended', lease, patches: [], ...end, status: 'failed', retryAt: at(20) } as const;
    expect(ownerTransition(failed)).toMatchObject({
      expected: { stopRequestedAt: null },
      patch: { status: 'failed', retryAt: at(20) },
    });
    expect(transition(aState({ stopRequestedAt: at(4) }), failed)).toMatchObject({
      patch: { status: 'aborted', retryAt: null },
    });
  });
});

describe('a claim', () => {
  const claim = { kind: 'claimed', ownerId: 'other', at: at(5) } as const;

  it('raises the fencing token and keeps the first start', () => {
    expect(transition(aState({ status: 'queued', startedAt: null }), claim)?.patch).toEqual({
      status: 'running',
      ownerId: 'other',
      startedAt: at(5),
      fencingToken: 4,
    });
    expect(transition(aState(), claim)?.patch).toMatchObject({ startedAt: at(1), fencingToken: 4 });
  });

  it.each(['waiting', 'failed', 'succeeded'] as const)('is refused for a run that is %s', (status) => {
    expect(transition(aState({ status }), claim)).toBeUndefined();
  });
});

describe('a run that begins to wait', () => {
  const suspend = { kind: 'suspended', lease, patches: [], waitingSteps: 1 } as const;

  it('loses its owner and its slot', () => {
    const state = aState({ waitingSteps: [step] });
    expect(transition(state, suspend)?.patch).toMatchObject({ status: 'waiting', ownerId: null });
    expect(kindsOfEffects(state, suspend)).toEqual(['leave_queue', 'notify_waiters']);
  });

  it('counts several steps that begin to wait at the same time', () => {
    const patches = [{ position: 0, status: 'waiting' }] as const;
    expect(transition(aState(), { ...suspend, patches })?.patch.status).toBe('waiting');
  });

  it.each([
    ['a step was answered', aState()],
    ['a stop was requested', aState({ waitingSteps: [step], stopRequestedAt: at(4) })],
  ])('is queued instead when %s meanwhile', (_, state) => {
    const { patch, effects } = transition(state, suspend) ?? {};
    expect(patch).toMatchObject({ status: 'queued', queuedAt: at(0), stopRequestedAt: state.stopRequestedAt });
    expect(effects).toContainEqual({ kind: 'enqueue', at: at(0) });
  });
});

describe('a request to stop', () => {
  it.each(['queued', 'waiting'] as const)('aborts a run that is %s, with its steps', (status) => {
    expect(transition(aState({ status }), stop)).toMatchObject({
      patch: { status: 'aborted', finishedAt: at(5) },
      steps: { every: { status: 'aborted', error: 'run stopped' } },
    });
  });

  it('is stored once for the owner of a running run', () => {
    expect(transition(aState(), stop)?.patch).toEqual({ stopRequestedAt: at(5) });
    expect(transition(aState({ stopRequestedAt: at(4) }), stop)?.patch).toEqual({ stopRequestedAt: at(4) });
  });

  it('cancels the automatic retry of a failed run', () => {
    const patch = { status: 'aborted', retryAt: null };
    expect(transition(aState({ status: 'failed', retryAt: at(9) }), stop)?.patch).toEqual(patch);
  });

  it.each(runStatus.all.filter(runStatus.isTerminal))('comes too late for a run that is %s', (status) => {
    expect(transition(aState({ status }), stop)).toBeUndefined();
  });
});

describe('a retry', () => {
  const failed = (values: Partial<RunState> = {}): RunState => aState({ status: 'failed', ...values });

  it('begins another attempt with steps that have not started', () => {
    expect(transition(failed(), retry)).toMatchObject({
      patch: { status: 'queued', attempt: 2, startedAt: null },
      steps: { patches: [{ position: 0, status: 'not_started' }], deletedScopes: [] },
    });
  });

  it.each([
    ['manual', 'retry'],
    ['auto', 'auto_retry'],
  ] as const)('records the attempt that ended, with its exit code, and why the next one begins: %s', (by, cause) => {
    const state = failed({ finishedAt: at(4), error: 'no', retryAt: at(5) });
    expect(transition(state, { ...retry, by })?.effects).toContainEqual({
      kind: 'record_attempt',
      ended: { status: 'failed', startedAt: at(1), finishedAt: at(4), error: 'no', ownerId: 'worker', exitCode: 3 },
      next: { attempt: 2, cause, reusedSteps: 2, startedAt: null },
    });
  });

  it('treats a step that passed as new work', () => {
    const passed = aStep({ status: 'succeeded', iteration: 1, decisions: { approvedBy: 'ada' } });
    expect(transition(failed(), { ...retry, steps: [passed] })?.steps).toMatchObject({
      patches: [{ memo: null, iteration: 2, decisions: null }],
      deletedScopes: ['0'],
    });
  });

  it('is automatic only while it is due', () => {
    const auto = { ...retry, by: 'auto' } as const;
    expect(transition(failed(), auto)).toBeUndefined();
    expect(transition(failed({ retryAt: at(6) }), auto)).toBeUndefined();
    expect(transition(failed({ retryAt: at(5) }), auto)?.patch.autoRetryCount).toBe(1);
  });

  it('is refused for an attempt that is not the last one', () => {
    expect(transition(failed({ attempt: 2 }), retry)).toBeUndefined();
  });
});

describe('a decision', () => {
  const waiting = (status: RunStatus): RunState => aState({ status, waitingSteps: [step] });

  it('queues a run that waits', () => {
    expect(transition(waiting('waiting'), approve)).toMatchObject({
      patch: { status: 'queued', queuedAt: at(5) },
      steps: { patches: [{ position: 0, status: 'succeeded', decisions: { approvedBy: 'ada' } }] },
      effects: [{ kind: 'enqueue' }, { kind: 'notify_queue' }],
    });
  });

  it.each(['running', 'queued'] as const)('is stored without other effect in a run that is %s', (status) => {
    expect(transition(waiting(status), approve)).toMatchObject({ patch: {}, effects: [] });
  });

  it('comes too late once the step no longer waits, or waits for other work', () => {
    expect(transition(aState(), approve)).toBeUndefined();
    expect(transition(waiting('aborted'), approve)).toBeUndefined();
    expect(transition(waiting('waiting'), { ...approve, step: { ...step, iteration: 1 } })).toBeUndefined();
  });

  it('stores why a step was rejected', () => {
    const rejected = { kind: 'rejected', step, at: at(5), by: 'ada', reason: 'no' } as const;
    expect(transition(waiting('waiting'), rejected)?.steps.patches).toMatchObject([
      { status: 'rejected', error: 'rejected: no', decisions: { rejectedBy: 'ada', reason: 'no' } },
    ]);
  });

  it('stores the newest hundred push-backs', () => {
    const pushBacks = Array.from({ length: 100 }, (_, index) => ({ iteration: index + 1, at: '', inputs: {} }));
    const row = aStep({ status: 'waiting', iteration: 100, decisions: { pushBacks } });
    const event = { kind: 'pushed_back', step: row, at: at(5), by: 'ada', inputs: {}, rewound: [row] } as const;
    const { patches } = transition(aState({ status: 'waiting', waitingSteps: [row] }), event)?.steps ?? {};

    expect(patches?.[0]?.decisions?.pushBacks?.map(({ iteration }) => iteration).slice(-1)).toEqual([101]);
    expect(patches?.[0]?.decisions?.pushBacks).toHaveLength(100);
  });
});

describe('a correction of a step', () => {
  const step = aStep({ status: 'failed', error: 'exit 1', finishedAt: at(3) });
  const event = {
    kind: 'step_corrected',
    attempt: 1,
    fencingToken: 3,
    step,
    status: 'succeeded',
    runStatus: 'succeeded',
    at: at(5),
  } as const;
  const ended = aState({ status: 'failed', ownerId: null, retryAt: at(60) });

  it('changes the step and the status of its run, which is no longer retried', () => {
    expect(transition(ended, event)).toEqual({
      expected: { status: 'failed', fencingToken: 3 },
      patch: { status: 'succeeded', fencingToken: 4, error: null, retryAt: null },
      steps: {
        patches: [{ scope: '', position: 0, status: 'succeeded', finishedAt: at(3), error: null }],
        deletedScopes: [],
      },
      effects: [{ kind: 'notify_waiters' }],
    });
  });

  it('keeps the error of a step that does not pass, and the retry of a run that failed', () => {
    const corrected = transition(ended, { ...event, status: 'aborted', runStatus: 'failed' });
    expect(corrected).toMatchObject({ patch: { status: 'failed' }, steps: { patches: [{ error: 'exit 1' }] } });
    expect(corrected?.patch).not.toHaveProperty('retryAt');
  });

  it('comes too late for a run that is active again, or was retried', () => {
    expect(transition(aState({ status: 'running' }), event)).toBeUndefined();
    expect(transition({ ...ended, attempt: 2 }, event)).toBeUndefined();
  });

  it('comes too late for a run that was corrected since its steps were read', () => {
    expect(transition({ ...ended, fencingToken: 4 }, event)).toBeUndefined();
  });
});
