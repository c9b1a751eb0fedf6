import type { StepOutputs } from '@weir/workflow-engine/model';
import type { Prisma } from '@weir/workflow-db';
import type { JsonValue } from '@weir/workflow-spec';
import { z } from 'zod';

// Values were validated before they were stored, and a JSON schema would copy megabytes.
const Named = z.array(z.object({ name: z.string(), value: z.custom<JsonValue>((value) => value !== undefined) }));
const Row = z.object({
  variable: z.object({ name: z.string(), value: z.string() }).optional(),
  fields: Named,
  declared: Named,
});

export function outputsFromRow(stored: unknown): StepOutputs {
  const { variable, ...named } = Row.parse(stored);
  return variable === undefined ? named : { ...named, variable };
}

export function outputsToRow({ variable, fields, declared }: StepOutputs): Prisma.InputJsonObject {
  const named = { fields: fields.map(namedToRow), declared: declared.map(namedToRow) };
  return variable === undefined ? named : { ...named, variable: { ...variable } };
}

function namedToRow({ name, value }: StepOutputs['fields'][number]): Prisma.InputJsonObject {
  return { name, value };
}
