import type { HumanTask } from '@weir/workflow-contract';
import { z } from 'zod';

const Fields = z.record(z.string(), z.object({ type: z.string() })).catch({});

export type TaskValue = string | number | boolean;

const numberText = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Parses strings as the types of their fields. A value that cannot be parsed remains a string, which the server then
 * refuses.
 */
export function parseFields(
  { form }: Pick<HumanTask, 'form'>,
  texts: Readonly<Record<string, string>>,
): Record<string, TaskValue> {
  const fields = Fields.parse(form.properties);
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseField(fields[name]?.type, text)]));
}

function parseField(type: string | undefined, text: string): TaskValue {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return (type === 'integer' || type === 'number') && numberText.test(text) ? Number(text) : text;
}
