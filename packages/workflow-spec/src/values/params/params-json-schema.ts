import type { Dag } from '../../model/dag';
import type { JsonObject } from '../../model/json';
import type { ParamDef } from '../../model/param';

/**
 * Returns the parameters of a DAG as a JSON Schema of an object: an unchanged inline schema, else one made of the
 * declarations. A positional parameter has its number as its name.
 */
export function paramsJsonSchema({ params, paramSchema }: Pick<Dag, 'params' | 'paramSchema'>): JsonObject {
  if (paramSchema?.kind === 'inline') return paramSchema.schema;
  const named = params.map((param, index) => [param.name ?? String(index + 1), param] as const);
  const required = named.filter(([, param]) => param.required).map(([name]) => name);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: Object.fromEntries(named.map(([name, param]) => [name, toProperty(param)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function toProperty(param: ParamDef): JsonObject {
  const { type, description, minimum, maximum, minLength, maxLength, pattern } = param;
  const rules = { description, default: param.default, minimum, maximum, minLength, maxLength, pattern };
  const given = Object.entries(rules).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return { type, ...Object.fromEntries(given), ...(param.enum === undefined ? {} : { enum: [...param.enum] }) };
}
