import { AppError } from '@weir/errors';
import { z } from 'zod';
import { operatorName } from './operator-name';
import type { StoreCommand } from './program-host';
import { resolveDagName } from './find-runnable-target';
import { withRunControl } from './with-run-control';

export interface CompleteTaskOptions extends StoreCommand {
  /** Found by the id of the run when left out. */
  readonly dag?: string | undefined;
  readonly runId: string;
  /** Id of the step. */
  readonly step: string;
  /** `name=value`, read as the types of the fields. */
  readonly input?: Readonly<Record<string, string>> | undefined;
  /** The fields as a JSON object. */
  readonly inputsJson?: string | undefined;
}

const Values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Completes a human task; whichever server is free goes on with the run. Returns the exit code. */
export async function completeTask(options: CompleteTaskOptions): Promise<number> {
  const { dag, runId: dagRunId, step: stepId, input: texts, inputsJson, print } = options;
  const values = inputsJson === undefined ? undefined : parseValues(inputsJson);
  const dagName = dag === undefined ? undefined : await resolveDagName(options, dag);
  const order = { dagName, dagRunId, stepId, values, texts, by: operatorName() };
  const done = await withRunControl(options, (control) => control.complete(order));
  const word = done.isRepeated ? 'was completed before' : 'completed';
  const next = done.isResumed ? ', queued' : '';
  print(`${done.dagName} ${done.dagRunId}: ${stepId} ${word}${next}, ${done.remaining} still waiting`);
  return 0;
}

function parseValues(text: string): z.output<typeof Values> {
  try {
    return Values.parse(JSON.parse(text));
  } catch (cause) {
    const message = '--inputs-json takes a JSON object whose values are texts, numbers, true or false.';
    throw new AppError('invalid_request', message, { reason: 'inputs_invalid', cause });
  }
}
