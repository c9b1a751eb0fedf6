import { outputBytes, type StepOutputs } from '@weir/workflow-engine/model';
import type { HumanTask } from '@weir/workflow-contract';
import type { Dag, JsonObject } from '@weir/workflow-spec';
import { jsonSchemaProblem } from '@weir/workflow-spec/editor';
import { z } from 'zod';
import { taskAnswerInvalid, taskAnswerTooLarge } from './approval-errors';

/** The values that a person entered. */
export interface TaskAnswer {
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

/** The body of a request, which is JSON. */
const Values = z.record(z.string(), z.json());
const Scalar = z.union([z.string(), z.number(), z.boolean()]);
/** The part of a form that is read here; the validation uses all of it. */
const Fields = z.record(z.string(), z.object({ type: z.string(), default: Scalar.optional() })).default({});
type Fields = z.output<typeof Fields>;

/** The default is the same as for outputs of other steps. */
const defaultMaxBytes = 1_048_576;

/**
 * Returns the answer as outputs of its step, with the defaults of missing fields. Throws `human_task_answer_invalid`
 * or `payload_too_large`.
 */
export function toAnswerOutputs(
  { form }: HumanTask,
  { values = {} }: TaskAnswer,
  { maxOutputSize = defaultMaxBytes }: Pick<Dag, 'maxOutputSize'>,
): StepOutputs {
  const fields = Fields.parse(form.properties);
  const answer: JsonObject = { ...readDefaults(fields), ...Values.parse(values) };
  const declared = Object.entries(answer)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => ({ name, value }));
  const outputs = { fields: [], declared };
  // The size is checked first, because patterns are slow on long strings.
  if (outputBytes(outputs) > maxOutputSize) throw taskAnswerTooLarge(maxOutputSize);
  // An unknown field is probably misspelled.
  const problem = jsonSchemaProblem({ additionalProperties: false, ...form, type: 'object' }, answer);
  if (problem !== undefined) throw taskAnswerInvalid(problem);
  return outputs;
}

function readDefaults(fields: Fields): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default] as const],
    ),
  );
}
