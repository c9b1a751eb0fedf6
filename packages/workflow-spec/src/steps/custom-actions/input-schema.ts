import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import type { JsonObject, JsonValue } from '../../model/json';
import { linearPattern, UnusablePattern } from '../../shapes/json-schema/linear-pattern';

export interface InputProblem {
  /** JSON pointer into the input; for a missing or surplus entry, the map that contains it. */
  readonly path: string;
  readonly message: string;
  readonly surplusKey?: string;
  readonly isMissing: boolean;
}

export interface CheckedInput {
  /** The input with the defaults of the schema. */
  readonly input: JsonObject;
  readonly problems: readonly InputProblem[];
}

export type InputCheck = (input: JsonObject) => CheckedInput;

/** Without references, validation time is proportional to the size of the schema and the input. */
const forbidden = new Set(['$ref', '$id', '$async', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef']);

/** `problem` is missing when the error of the schema was reported elsewhere. */
export type CompiledSchema = { readonly check: InputCheck } | { readonly problem?: string };

export function compileInputSchema(schema: JsonObject): CompiledSchema {
  const key = forbiddenKey(schema);
  if (key !== undefined) return { problem: `${key} is not supported in the schema of an input` };
  if ((schema.type ?? 'object') !== 'object') return { problem: 'the schema of an input must have type object' };
  const rules = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
  try {
    const compiled = getCompiler().compile(rules);
    // Ajv caches every schema it compiles; files come and go.
    getCompiler().removeSchema(rules);
    return { check: (input) => checkInput(compiled, input) };
  } catch (error) {
    if (error instanceof UnusablePattern) return {};
    const reason = error instanceof Error ? error.message : 'unknown reason';
    return { problem: `is not a JSON Schema: ${reason.slice(0, 200)}` };
  }
}

function checkInput(compiled: ValidateFunction, given: JsonObject): CheckedInput {
  const input = copyMap(given);
  return { input, problems: compiled(input) ? [] : (compiled.errors ?? []).map(toProblem) };
}

/** Copies maps without a prototype: otherwise Ajv would treat an input named `constructor` as given. */
function copyMap(map: JsonObject): JsonObject {
  const copy = Object.create(null) as Record<string, JsonValue>;
  for (const [key, value] of Object.entries(map)) copy[key] = copyValue(value);
  return copy;
}

function copyValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(copyValue);
  return typeof value === 'object' && value !== null ? copyMap(value as JsonObject) : value;
}

function toProblem({ instancePath, message, params, keyword }: ErrorObject): InputProblem {
  const { additionalProperty, allowedValues } = params as {
    readonly additionalProperty?: string;
    readonly allowedValues?: readonly unknown[];
  };
  const choices = allowedValues ? `: ${allowedValues.map((value) => JSON.stringify(value)).join(', ')}` : '';
  return {
    path: instancePath,
    message: `${message ?? 'does not fit the schema'}${choices}`.slice(0, 500),
    ...(additionalProperty === undefined ? {} : { surplusKey: additionalProperty }),
    isMissing: keyword === 'required',
  };
}

let sharedCompiler: Ajv | undefined;

// The compiler is created on first use: loading the meta-schema costs more than parsing most files.
function getCompiler(): Ajv {
  sharedCompiler ??= new Ajv({
    strict: false,
    allErrors: true,
    useDefaults: true,
    validateFormats: false,
    logger: false,
    code: { regExp: linearPattern },
  });
  return sharedCompiler;
}

function forbiddenKey(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value as Readonly<Record<string, JsonValue>>)) {
    const found = forbidden.has(key) ? key : forbiddenKey(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
