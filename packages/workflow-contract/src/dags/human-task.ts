import { z } from 'zod';
import type { ExecutorConfig } from '../run-inputs/step-schemas';

const HumanTask = z.object({
  prompt: z.string().default(''),
  form: z.record(z.string(), z.json()).default({}).describe('A JSON Schema; empty when there is none.'),
});
/** The question that a step asks a person. */
export type HumanTask = z.output<typeof HumanTask>;

/** Returns the question that an action asks a person; `undefined` when it is no human task. */
export function readHumanTask(action: ExecutorConfig | undefined): HumanTask | undefined {
  return action?.type === 'human.task' ? HumanTask.parse(action.config ?? {}) : undefined;
}
