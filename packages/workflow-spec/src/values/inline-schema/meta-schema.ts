import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import { quote } from '../../source/text/quote';

export const dialect = 'http://json-schema.org/draft-07/schema#';

/** The first error of a JSON Schema and the JSON pointer to it. */
export interface SchemaProblem {
  readonly pointer: string;
  readonly message: string;
}

let validate: ValidateFunction | undefined;

/** Validates a schema against the meta-schema of draft 07. */
export function findSchemaProblem(schema: unknown): SchemaProblem | undefined {
  // The meta-schema is compiled on first use: that takes longer than all validations that follow.
  validate ??= new Ajv({ strict: false, validateFormats: false }).getSchema(dialect);
  if (!validate) throw new Error('Ajv contains the meta-schema of draft 07.');
  if (validate(schema)) return undefined;
  const [error] = validate.errors ?? [];
  return error && { pointer: error.instancePath, message: describeError(error) };
}

function describeError({ keyword, message = 'is wrong', params }: ErrorObject): string {
  // Ajv types the parameters of an error as a record of anything.
  const { allowedValues } = params as { readonly allowedValues?: readonly unknown[] };
  if (keyword !== 'enum' || !allowedValues) return message;
  return `must be one of: ${allowedValues.map((value) => (typeof value === 'string' ? value : quote(JSON.stringify(value)))).join(', ')}`;
}
