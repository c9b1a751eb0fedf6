import type { Schemas } from '../../api/client';

/** An approval or a human task, in the form for its dialog. */
export type Decision = Omit<Schemas['OpenDecision'], 'mayDecide' | 'since'>;

/** Returns the fields for a person: the form of a task, or the values that an approver may give. */
export function schemaOf({ kind, form, input = [], required = [] }: Decision): Readonly<Record<string, unknown>> {
  if (kind === 'human_task') return form ?? {};
  return { properties: Object.fromEntries(input.map((name) => [name, { type: 'string' }])), required };
}
