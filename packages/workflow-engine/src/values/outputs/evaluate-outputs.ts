import type { JsonObject, JsonValue, OutputSource } from '@weir/workflow-spec';
import { jsonSchemaProblem } from '@weir/workflow-spec/editor';
import { decodeYaml } from '@weir/workflow-spec/text';
import { decodeJson, textProblem, valueProblem, type Decoded } from './output-value';
import { shownName, type NamedOutput } from '../../model/run-model/step-outputs';

/** Everything needed to evaluate outputs, as plain data for a thread. */
export interface OutputRequest {
  readonly fields: readonly { readonly name: string; readonly source: OutputSource }[];
  /** JSON Schema that standard output must match before anything is published. */
  readonly schema?: JsonObject;
  /** Missing when no output reads it. */
  readonly stdout?: string;
  readonly stderr?: string;
  /** Content of files by the path in the source. */
  readonly files: readonly (readonly [path: string, text: string])[];
  /** Limit of all values together, as JSON. */
  readonly maxBytes: number;
}

/** Problems name the output and the rule, never a value. */
export type OutputResult = { readonly fields: readonly NamedOutput[] } | { readonly problem: string };

/** Applies a jq expression and yields its results; throws when it cannot be applied. */
export type SelectJson = (expression: string, value: JsonValue) => Iterable<unknown>;

/** Evaluates outputs. Hostile values and expressions can take very long, so it has to run in a thread that can be ended. */
export function evaluateOutputs(request: OutputRequest, select: SelectJson): OutputResult {
  const problem = request.schema && schemaProblem(request.schema, request.stdout ?? '');
  if (problem !== undefined) return { problem };
  const texts = new Map(request.files);
  const fields: NamedOutput[] = [];
  let bytes = 0;
  for (const { name, source } of request.fields) {
    const text =
      source.kind === 'file' ? texts.get(source.path ?? '') : request[source.kind === 'stderr' ? 'stderr' : 'stdout'];
    const found = source.kind === 'literal' ? { value: source.value } : readValue(source, text ?? '', select);
    if ('problem' in found) return { problem: `the output ${shownName(name)} ${found.problem}` };
    bytes += name.length + Buffer.byteLength(JSON.stringify(found.value));
    if (bytes > request.maxBytes) return { problem: `the outputs are larger than ${request.maxBytes} bytes` };
    fields.push({ name, value: found.value });
  }
  return { fields };
}

function schemaProblem(schema: JsonObject, stdout: string): string | undefined {
  const decoded = decodeJson(stdout);
  if ('problem' in decoded) return `the standard output ${decoded.problem}, which output_schema needs`;
  const problem = jsonSchemaProblem(schema, decoded.value);
  return problem === undefined ? undefined : `the standard output does not fit output_schema: ${problem}`;
}

function readValue(
  { decode, select: expression }: Exclude<OutputSource, { readonly kind: 'literal' }>,
  text: string,
  select: SelectJson,
): Decoded {
  const decoded = decodeText(text, decode);
  if ('problem' in decoded || expression === undefined) return decoded;
  const results: unknown[] = [];
  try {
    for (const result of select(expression, decoded.value)) {
      results.push(result);
      if (results.length > 1) return { problem: 'has a select that gives more than one value' };
    }
  } catch {
    // The message of jq may quote the value.
    return { problem: 'has a select that is no jq expression or cannot be applied to what was read' };
  }
  if (results.length === 0) return { problem: 'has a select that gives no value' };
  const problem = valueProblem(results[0]);
  // `valueProblem` has just checked it.
  return problem === undefined ? { value: results[0] as JsonValue } : { problem };
}

function decodeText(text: string, decode: 'text' | 'json' | 'yaml'): Decoded {
  if (decode === 'json') return decodeJson(text);
  if (decode === 'yaml') {
    const decoded = decodeYaml(text);
    const problem = 'problem' in decoded ? decoded.problem : valueProblem(decoded.value);
    return problem === undefined ? decoded : { problem };
  }
  const value = text.trim();
  const problem = textProblem(value);
  return problem === undefined ? { value } : { problem };
}
