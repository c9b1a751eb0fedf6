import { selectorText } from '@weir/workflow-engine/model';
import { aRun } from '@weir/workflow-engine/testing';
import type { ExplanationFacts, StepFacts } from './explanation-facts';
import { explainRun, explainStep } from './explain-steps';

const at = new Date('2026-03-04T05:06:07Z');
const later = new Date(at.getTime() + 60_000);
const worker = { id: 'one', host: 'first', labels: {} };
const alive = { alive: ['one'], claiming: [worker] };
const none = { alive: [], claiming: [] };
const entry = {
  runId: 'run-1',
  queueName: 'nightly',
  rankAt: at,
  availableAt: at,
  claimedBy: null,
  isUnlimited: false,
  workspace: '',
};
const claimed = { ...entry, claimedBy: 'one' };
const holder = aRun({ id: 'holder', dagName: 'other', status: 'running' });
const full = { slots: 1, slotsInUse: 1, before: 2, holders: [holder] };

const facts = (values: Partial<ExplanationFacts> = {}): ExplanationFacts => ({
  at,
  run: aRun({ status: 'running' }),
  entry: claimed,
  workers: alive,
  steps: [],
  maxActiveSteps: 0,
  ...values,
});
const aStep = (name: string, values: Partial<StepFacts> = {}): StepFacts => ({
  name,
  status: 'not_started',
  error: null,
  finishedAt: null,
  retryCount: 0,
  depends: [],
  ...values,
});
const queued = { run: aRun({ status: 'queued' }), entry, queue: full };
const kinds = (values: Partial<ExplanationFacts>) => explainRun(facts(values)).map(({ kind }) => kind);
const kindsOfStep = (steps: readonly StepFacts[], values: Partial<ExplanationFacts> = {}) => {
  const [step] = steps;
  if (step === undefined) throw new Error('No step is given.');
  return explainStep(facts({ steps, ...values }), step).map(({ kind }) => kind);
};

describe('a run with a worker_selector', () => {
  const labels = { gpu: 'a100', region: 'eu' };
  const run = aRun({ status: 'queued', workerSelector: selectorText(labels) });
  const workers = (...given: readonly (typeof worker | { id: string; host: string; labels: typeof labels })[]) => ({
    alive: given.map(({ id }) => id),
    claiming: given,
  });
  const explain = (found: ExplanationFacts['workers']) => explainRun(facts({ ...queued, run, workers: found })).at(-1);

  it('finds no worker without its labels, and names the nearest one with the missing labels', () => {
    const near = { id: 'two', host: 'second', labels: { gpu: 'a100', region: 'us' } };

    expect(explain(workers(worker, near))).toEqual({
      kind: 'no_worker',
      message: 'No live worker has the labels gpu=a100, region=eu. The nearest one, second, lacks region=eu.',
      selector: labels,
      nearest: { ...near, missing: { region: 'eu' } },
    });
  });

  it('finds a worker with these and more labels', () => {
    expect(explain(workers({ ...worker, labels: { ...labels, more: 'x' } as typeof labels }))?.kind).toBe('queue_full');
  });
});

describe('the causes that a run is not running', () => {
  it.each<[string, Partial<ExplanationFacts>, readonly string[]]>([
    ['none while a live worker executes it', {}, []],
    ['a full queue', queued, ['queue_full']],
    ['its turn, while a slot is free', { ...queued, queue: { ...full, slots: 2 } }, ['queued']],
    ['its turn, when it needs no slot', { ...queued, entry: { ...entry, isUnlimited: true } }, ['queued']],
    ['no worker, besides a full queue', { ...queued, workers: none }, ['queue_full', 'no_worker']],
    [
      'a pause after an execution that could not begin',
      { ...queued, entry: { ...entry, availableAt: later } },
      ['not_before', 'queue_full'],
    ],
    ['a lost owner that another worker follows', { workers: { ...alive, alive: ['two'] } }, ['owner_lost']],
    ['a lost owner that nobody follows', { workers: none }, ['owner_lost', 'no_worker']],
    ['a stop', { run: aRun({ status: 'running', stopRequestedAt: at }) }, ['stop_requested']],
    ['its end', { run: aRun({ status: 'succeeded' }), entry: undefined }, ['ended']],
    ['nothing but people, while it waits', { run: aRun({ status: 'waiting' }), entry: undefined }, []],
  ])('are %s', (_, values, expected) => {
    expect(kinds(values)).toEqual(expected);
  });

  it('name the holders of the slots, the position, and the number of invisible holders', () => {
    const [cause] = explainRun(facts({ ...queued, queue: { ...full, slots: 3, slotsInUse: 4 } }));

    expect(cause).toMatchObject({
      queue: { name: 'nightly', slots: 3, slotsInUse: 4, position: 3 },
      runs: [{ name: 'other', dagRunId: 'holder', statusLabel: 'running' }],
      otherRuns: 3,
    });
  });

  it.each([
    ['with all that it needs', { isSuspended: false, isSchedulerAlive: true }, []],
    ['with its DAG suspended', { isSuspended: true, isSchedulerAlive: true }, ['dag_suspended']],
    ['without a scheduler', { isSuspended: false, isSchedulerAlive: false }, ['no_scheduler']],
  ])('are the retry of a failed run %s', (_, retry, expected) => {
    const run = aRun({ status: 'failed', retryAt: later, autoRetryLimit: 3, error: 'no' });
    const causes = explainRun(facts({ run, entry: undefined, retry }));

    expect(causes.map(({ kind }) => kind)).toEqual(['ended', 'retry_due', ...expected]);
    expect(causes.slice(0, 2)).toMatchObject([{ error: 'no' }, { at: later.toISOString() }]);
  });

  it('include those of every step that waits or is to be attempted again', () => {
    const steps = [
      aStep('ask', { status: 'waiting', pause: { kind: 'human_task', prompt: 'Well?' } }),
      aStep('review', { status: 'waiting', pause: { kind: 'approval', prompt: undefined } }),
      aStep('call', { status: 'waiting', pause: { kind: 'child_run', runs: [holder], others: 2 } }),
      aStep('flaky', { status: 'retrying', error: 'exit 1', retryCount: 1 }),
      aStep('busy', { status: 'running' }),
    ];

    expect(explainRun(facts({ steps }))).toMatchObject([
      { kind: 'human_task', step: 'ask', role: 'operator', prompt: 'Well?' },
      { kind: 'approval', step: 'review', role: 'operator' },
      { kind: 'child_run', step: 'call', runs: [{ dagRunId: 'holder' }], otherRuns: 2 },
      { kind: 'step_retry', step: 'flaky', error: 'exit 1' },
    ]);
  });
});

describe('the causes that a step is not running', () => {
  const review = aStep('review', { status: 'waiting', pause: { kind: 'approval', prompt: undefined } });

  it('are the dependencies that have not ended, and the causes that those wait for', () => {
    const steps = [
      aStep('last', { depends: ['middle', 'done'] }),
      aStep('middle', { depends: ['review'] }),
      aStep('done', { status: 'succeeded' }),
      review,
    ];
    expect(kindsOfStep(steps)).toEqual(['dependency', 'approval']);
    expect(explainStep(facts({ steps }), steps[0] ?? review)[0]).toMatchObject({
      steps: [{ name: 'middle', statusLabel: 'not_started' }],
    });
  });

  it('include those of its run', () => {
    expect(kindsOfStep([aStep('a')], queued)).toEqual(['queue_full']);
    expect(kindsOfStep([aStep('a', { status: 'running' })], { workers: none })).toEqual(['owner_lost', 'no_worker']);
  });

  it('are the executing steps when the limit is reached', () => {
    const steps = [aStep('a'), aStep('b', { status: 'running' }), aStep('c', { status: 'retrying' })];

    expect(kindsOfStep(steps, { maxActiveSteps: 2 })).toEqual(['step_limit']);
    expect(explainStep(facts({ steps, maxActiveSteps: 2 }), aStep('a'))[0]?.steps).toHaveLength(2);
    expect(kindsOfStep(steps, { maxActiveSteps: 3 })).toEqual(['ready']);
  });

  it.each<[string, StepFacts, readonly string[]]>([
    ['none while it executes', aStep('a', { status: 'running' }), []],
    ['its end', aStep('a', { status: 'skipped', finishedAt: at, error: 'condition not met' }), ['ended']],
    ['its next attempt', aStep('a', { status: 'retrying' }), ['step_retry']],
    ['a person', review, ['approval']],
  ])('are %s', (_, step, expected) => {
    expect(kindsOfStep([step])).toEqual(expected);
  });
});
