import path from 'node:path';
import type { Step } from '@weir/workflow-spec';
import { stepLogLayout } from '../../model/run-model/log-layout';
import { commitOwned } from '../../model/ports/run-store';
import type { RunContext } from '../context/run-context';
import type { StepExecution } from '../../scope/loop/step-execution';
import { nodeKey, type DagRunStep, type StepScope } from '../../model/run-model/dag-run';
import { newStep } from '../../model/run-model/new-step';

/** A loop that repeats, or whose work was pushed back, has iterations of its own each time. */
export function iterationScope({ stored, iterations }: StepExecution, index: number): StepScope {
  const suffix = stored.iteration === 0 && iterations === 0 ? '' : `.${stored.iteration}.${iterations}`;
  return `${nodeKey(stored)}/${index}${suffix}`;
}

/** `body`: the steps that execute in the scope. */
export async function addIteration(
  context: RunContext,
  body: readonly Step[],
  scope: StepScope,
): Promise<readonly DagRunStep[]> {
  const { run, lease, dag } = context;
  const logs = stepLogLayout({
    folder: path.join(path.dirname(run.logFile), scope.replaceAll('/', '-')),
    stepNames: body.map(({ name }) => name),
    isMerged: (index) => (body[index]?.logOutput ?? dag.logOutput) === 'merged',
  });
  const steps = logs.map((log, position) => newStep({ scope, position, name: body[position]?.name ?? '', ...log }));
  await commitOwned(context, { kind: 'steps_added', lease, steps });
  return steps;
}

/** The steps of the iterations that started before, by scope. */
export async function loadIterations(
  { ports, run, lease }: RunContext,
  { stored, attempt }: StepExecution,
): Promise<ReadonlyMap<string, readonly DagRunStep[]>> {
  // A loop inside another one may have started in an earlier attempt of that one.
  const isUntouched = stored.iteration === 0 && stored.startedAt === null;
  const isNew = attempt === 1 && lease.token === 1 && run.attempt === 1 && isUntouched;
  if (isNew) return new Map();
  const prefix = `${nodeKey(stored)}/`;
  const iterations = new Map<string, DagRunStep[]>();
  for (const step of await ports.runs.listAllSteps(run.id)) {
    // Of this loop, and not of one inside it.
    if (!step.scope.startsWith(prefix) || step.scope.slice(prefix.length).includes('/')) continue;
    const known = iterations.get(step.scope);
    if (known === undefined) iterations.set(step.scope, [step]);
    else known.push(step);
  }
  return iterations;
}
