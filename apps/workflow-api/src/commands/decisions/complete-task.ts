import { AppError } from '@weir/foundation';
import { readHumanTask } from '@weir/workflow-contract';
import { parse } from 'yaml';
import { z } from 'zod';
import type { WorkflowClient } from '@weir/workflow-client';
import { resolveDagName } from '../shared/find-runnable-target';
import { parseFields, type TaskValue } from './human-task-form';
import type { StoreCommand } from '../shared/program-host';
import { findRunById, readRun, type RunAddress } from '../shared/run-queries';
import { withApi } from '../shared/with-api';

export interface CompleteTaskOptions extends StoreCommand {
  /** Default: the DAG of the run with this id. */
  readonly dag?: string | undefined;
  /** Default: the only run that waits for the task. */
  readonly runId?: string | undefined;
  /** Id of the step. */
  readonly step: string;
  /** Texts as `name=value`, which are parsed as the types of the fields. */
  readonly input?: Readonly<Record<string, string>> | undefined;
  /** The fields as a JSON object. */
  readonly inputsJson?: string | undefined;
}

const Values = z.record(z.string(), z.json());

/** Completes a human task; any free worker resumes the run. Returns the exit code. */
export async function completeTask(options: CompleteTaskOptions): Promise<number> {
  const { dag, runId, step: stepId, input: texts = {}, inputsJson, print } = options;
  const values = inputsJson === undefined ? undefined : parseValues(inputsJson);
  const named = dag === undefined ? undefined : await resolveDagName(options, dag);
  const { data: done } = await withApi(options, async (client) => {
    const { dagName: name, dagRunId } = await findRun(client, { dagName: named, dagRunId: runId, stepId });
    const body = values ?? (await readTexts(client, { dagName: name, dagRunId, stepId }, texts));
    return client.POST('/dag-runs/{name}/{dagRunId}/human-tasks/{stepId}/complete', {
      params: { path: { name, dagRunId, stepId } },
      body,
    });
  });
  const word = done.alreadyCompleted ? 'was completed before' : 'completed';
  const next = done.queued ? ', queued' : '';
  print(`${done.dagName} ${done.dagRunId}: ${stepId} ${word}${next}, ${done.remainingWaitingSteps} still waiting`);
  return 0;
}

/** Finds the parts of a task's address that were not given. */
async function findRun(
  client: WorkflowClient,
  {
    dagName,
    dagRunId,
    stepId,
  }: { readonly [Key in keyof TaskAddress]: TaskAddress[Key] | undefined } & Pick<TaskAddress, 'stepId'>,
): Promise<RunAddress> {
  if (dagRunId === undefined) return findWaitingTask(client, { dagName, stepId });
  return { dagName: dagName ?? (await findRunById(client, dagRunId)).name, dagRunId };
}

interface TaskAddress {
  readonly dagName: string;
  readonly dagRunId: string;
  readonly stepId: string;
}

async function readTexts(
  client: WorkflowClient,
  { stepId, ...address }: TaskAddress,
  texts: Readonly<Record<string, string>>,
): Promise<Record<string, TaskValue>> {
  const { nodes } = await readRun(client, address);
  const step = nodes.find((node) => node.step.id === stepId)?.step;
  // When there is no such task, the server explains why.
  return parseFields((step && readHumanTask(step.executorConfig)) ?? { form: {} }, texts);
}

function parseValues(text: string): z.output<typeof Values> {
  try {
    const value: unknown = JSON.parse(text);
    // JSON keeps the last of two fields of one name; as YAML the same text is refused then.
    parse(text);
    return Values.parse(value);
  } catch (cause) {
    const message = '--inputs-json takes a JSON object in which no name is there twice.';
    throw new AppError('invalid_request', message, { reason: 'inputs_invalid', cause });
  }
}

/**
 * Finds the one run that waits for the human task with this step ID: a run of the named DAG, a child run of one, or
 * any run. Throws `human_task_not_open` or `dag_run_ambiguous`.
 */
async function findWaitingTask(
  client: WorkflowClient,
  { dagName, stepId }: { readonly dagName: string | undefined; readonly stepId: string },
): Promise<RunAddress> {
  const found: RunAddress[] = [];
  for (let cursor: string | undefined; ;) {
    const query = cursor === undefined ? {} : { cursor };
    const { data: page } = await client.GET('/open-decisions', { params: { query } });
    for (const item of page.items) {
      const isMeant = item.kind === 'human_task' && item.stepId === stepId;
      const names = [item.name, item.dagName];
      if (!isMeant || (dagName !== undefined && !names.includes(dagName))) continue;
      found.push({ dagName: item.dagName, dagRunId: item.subDAGRunId ?? item.dagRunId });
    }
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  const [run, other] = found;
  if (run === undefined) {
    throw new AppError('not_found', `No run waits for the task "${stepId}".`, { reason: 'human_task_not_open' });
  }
  if (other === undefined) return run;
  const message = `Several runs wait for the task "${stepId}": name the run with --run-id.`;
  throw new AppError('conflict', message, { reason: 'dag_run_ambiguous' });
}
