import type { DagRun, DagRunStep } from '@weir/workflow-engine/model';
import { unaudited } from '../../../access/audited-operation';
import { systemClock } from '../../../adapters/clock';
import { createInlineParsers } from '../../../dag-parser';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { createInMemoryRunStore } from '../../queue/in-memory-queue-driver';
import { createApprovals } from './approvals';

const specText = `steps:
  - {name: draft, run: "true"}
  - {name: loop, depends: draft, foreach: {items: [1], steps: [{name: inner, run: "true"}]}}
  - {name: review, id: rev, run: "true", depends: loop, approval: {input: [A, B], required: [A], rewind_to: draft}}
  - {name: plain, run: "true", approval: {}}
  - {name: ask, id: ask, action: human.task, depends: plain, with: {prompt: Well?}}
  - {name: last, run: "true", depends: [review, ask]}
`;
const statuses = ['succeeded', 'succeeded', 'waiting', 'waiting', 'not_started', 'not_started'] as const;
const names = ['draft', 'loop', 'review', 'plain', 'ask', 'last'];

async function build(run: Partial<DagRun> = {}, changes: Readonly<Record<number, Partial<DagRunStep>>> = {}) {
  const { runs } = createInMemoryRunStore();
  const stored = aRun({ status: 'waiting', specText, ...run });
  const steps = names.map((name, position) =>
    aRunStep({ name, position, status: statuses[position] ?? 'not_started', ...changes[position] }),
  );
  const inner = aRunStep({ scope: '1/0', name: 'inner', status: 'succeeded' });
  await runs.insert(stored, [...steps, inner], { audit: unaudited, singleton: false, isUnlimited: false });
  const parser = createInlineParsers().forRequests;
  const approvals = createApprovals({ runs, parser, clock: systemClock });
  const findStep = async (name: string) => (await runs.listAllSteps(stored.id)).find((step) => step.name === name);
  return { runs, approvals, run: stored, findStep };
}

const by = 'ada';

describe('approve', () => {
  it('stores the approver and the inputs, and queues the run', async () => {
    const { runs, approvals, run, findStep } = await build();
    const inputs = { A: 'yes', OTHER: 'dropped' };
    await expect(approvals.approve(run, { audit: unaudited, step: 'rev', by, inputs })).resolves.toEqual({
      isResumed: true,
    });
    await expect(findStep('review')).resolves.toMatchObject({
      status: 'succeeded',
      decisions: { approvedBy: 'ada', inputs: { A: 'yes' } },
    });
    await expect(runs.findById(run.id)).resolves.toMatchObject({ status: 'queued' });
  });

  it.each(['running', 'queued'] as const)('is stored while the run is %s', async (status) => {
    const { runs, approvals, run } = await build({ status, ...(status === 'running' ? { ownerId: 'somebody' } : {}) });
    await expect(approvals.approve(run, { audit: unaudited, step: 'plain', by })).resolves.toEqual({
      isResumed: false,
    });
    await expect(runs.findById(run.id)).resolves.toMatchObject({ status });
  });

  it.each([
    ['a step without an approval', 'draft', 'step_not_waiting'],
    ['a human task', 'ask', 'step_not_waiting'],
    ['a step that does not exist', 'nobody', 'step_not_found'],
    ['a required value that is missing', 'review', 'approval_inputs_missing'],
  ])('refuses %s', async (_, step, reason) => {
    const { approvals, run } = await build();
    await expect(approvals.approve(run, { audit: unaudited, step, by })).rejects.toMatchObject({ reason });
  });

  it('refuses a step of a run that has ended', async () => {
    const { approvals, run } = await build({ status: 'aborted' });
    await expect(approvals.approve(run, { audit: unaudited, step: 'plain', by })).rejects.toMatchObject({
      reason: 'step_not_waiting',
    });
  });
});

describe('reject', () => {
  it('stores the person who rejected and the reason', async () => {
    const { approvals, run, findStep } = await build();
    await expect(approvals.reject(run, { audit: unaudited, step: 'plain', by, reason: 'no' })).resolves.toEqual({
      isResumed: true,
    });
    await expect(findStep('plain')).resolves.toMatchObject({
      status: 'rejected',
      error: 'rejected: no',
      decisions: { rejectedBy: 'ada', reason: 'no' },
    });
  });
});

describe('pushBack', () => {
  it('resets the steps from rewind_to on, deletes the iterations of loops, and keeps the others', async () => {
    const { approvals, run, findStep } = await build();
    const sent = await approvals.pushBack(run, { audit: unaudited, step: 'review', by, inputs: { A: 'shorter' } });
    expect(sent).toEqual({ isResumed: true, iteration: 1 });
    for (const name of ['draft', 'loop', 'review']) {
      await expect(findStep(name)).resolves.toMatchObject({
        status: 'not_started',
        iteration: 1,
        decisions: { pushBacks: [{ iteration: 1, by: 'ada', inputs: { A: 'shorter' } }] },
      });
    }
    await expect(findStep('inner')).resolves.toBeUndefined();
    await expect(findStep('plain')).resolves.toMatchObject({ status: 'waiting', iteration: 0 });
    await expect(findStep('last')).resolves.toMatchObject({ status: 'not_started', iteration: 0, decisions: null });
  });

  it('returns from a human task to a step before it, with a comment', async () => {
    const { approvals, run, findStep } = await build({}, { 3: { status: 'succeeded' }, 4: { status: 'waiting' } });
    await approvals.pushBack(run, { audit: unaudited, step: 'ask', by, comment: 'shorter' });
    for (const name of ['plain', 'ask']) {
      await expect(findStep(name)).resolves.toMatchObject({
        status: 'not_started',
        iteration: 1,
        decisions: { pushBacks: [{ iteration: 1, by: 'ada', comment: 'shorter', inputs: {} }] },
      });
    }
    await expect(findStep('draft')).resolves.toMatchObject({ status: 'succeeded', iteration: 0 });
  });

  it.each([
    ['that does not come before it', 'plain'],
    ['that is not there', 'nowhere'],
  ])('is refused to a step %s', async (_, rewindTo) => {
    const { approvals, run } = await build();
    const request = { audit: unaudited, step: 'review', by, inputs: { A: 'x' }, rewindTo };
    await expect(approvals.pushBack(run, request)).rejects.toMatchObject({ reason: 'rewind_not_upstream' });
  });

  it('counts further push-backs', async () => {
    const before = { iteration: 1, at: '2026-11-21T00:00:00.000Z', inputs: {} };
    const { approvals, run, findStep } = await build({}, { 3: { iteration: 1, decisions: { pushBacks: [before] } } });
    await expect(approvals.pushBack(run, { audit: unaudited, step: 'plain', by })).resolves.toMatchObject({
      iteration: 2,
    });
    await expect(findStep('plain')).resolves.toMatchObject({ decisions: { pushBacks: [before, { iteration: 2 }] } });
  });

  it('stores the newest hundred push-backs', async () => {
    const pushBacks = Array.from({ length: 100 }, (_, index) => ({ iteration: index + 1, by, at: '', inputs: {} }));
    const { approvals, run, findStep } = await build({}, { 3: { iteration: 100, decisions: { pushBacks } } });
    await expect(approvals.pushBack(run, { audit: unaudited, step: 'plain', by })).resolves.toMatchObject({
      iteration: 101,
    });
    const stored = (await findStep('plain'))?.decisions?.pushBacks?.map(({ iteration }) => iteration) ?? [];
    expect([stored.length, stored.at(0), stored.at(-1)]).toEqual([100, 2, 101]);
  });

  it('is refused while the run is running', async () => {
    const { approvals, run, findStep } = await build({ status: 'running', ownerId: 'somebody' });
    await expect(approvals.pushBack(run, { audit: unaudited, step: 'plain', by })).rejects.toMatchObject({
      reason: 'dag_run_active',
    });
    await expect(findStep('plain')).resolves.toMatchObject({ status: 'waiting' });
  });
});

describe('complete', () => {
  const open = { 3: { status: 'succeeded' }, 4: { status: 'waiting' } } as const;

  it('publishes the answer only once', async () => {
    const { runs, approvals, run } = await build({}, open);
    const completion = { audit: unaudited, stepId: 'ask', by, answer: {} };
    await expect(approvals.complete(run, completion)).resolves.toEqual({
      isResumed: true,
      isRepeated: false,
      remaining: 1,
    });
    await expect(approvals.complete(run, completion)).resolves.toMatchObject({ isResumed: false, isRepeated: true });
    expect((await runs.readOutputs(run.id)).get(4)).toEqual({ fields: [], declared: [] });
  });

  it('refuses a task that is not open yet, and a step that is no task', async () => {
    const { approvals, run } = await build();
    const complete = (stepId: string) => approvals.complete(run, { audit: unaudited, stepId, by, answer: {} });
    await expect(complete('ask')).rejects.toMatchObject({ reason: 'human_task_not_open' });
    await expect(complete('rev')).rejects.toMatchObject({ reason: 'step_not_found' });
  });
});
