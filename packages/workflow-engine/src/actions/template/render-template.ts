import type { JsonValue } from '@weir/workflow-spec';
import { actionFailed } from '../../model/steps/action-errors';
import { isList } from '../../values/text/is-list';
import { parseTemplate } from './parse-template';
import { callTemplateFunction, isTrue, readItem, printed } from './template-functions';
import type { Operand, TemplateNode } from './template-nodes';

/** Evaluation steps of one template, which bounds nested loops. */
const maxWork = 200_000;
/** Characters that all function calls together may read. */
const maxRead = 67_108_864;

/** Renders a template. Throws an `AppError` that quotes neither the template nor a value. */
export function renderTemplate(template: string, data: JsonValue, maxBytes: number): string {
  const writer = new TemplateWriter(data, maxBytes);
  writer.write(parseTemplate(template), { dot: data, variables: new Map() });
  return writer.text();
}

interface Frame {
  readonly dot: JsonValue;
  readonly variables: ReadonlyMap<string, JsonValue>;
}

class TemplateWriter {
  readonly #data: JsonValue;
  readonly #maxBytes: number;
  readonly #parts: string[] = [];
  #bytes = 0;
  #work = 0;
  #read = 0;

  constructor(data: JsonValue, maxBytes: number) {
    this.#data = data;
    this.#maxBytes = maxBytes;
  }

  text(): string {
    return this.#parts.join('');
  }

  write(nodes: readonly TemplateNode[], { dot, variables }: Frame): void {
    // Variables are copied, so they count for each iteration.
    this.#spend(variables.size);
    const frame = { dot, variables: new Map(variables) };
    for (const node of nodes) {
      this.#spend();
      if (node.kind === 'text') this.#put(node.text);
      else if (node.kind === 'print') this.#put(printed(this.#value(node.value, frame)));
      else if (node.kind === 'set') frame.variables.set(node.variable, this.#value(node.value, frame));
      else this.#branch(node, frame);
    }
  }

  #branch(node: Extract<TemplateNode, { kind: 'if' | 'with' | 'range' }>, frame: Frame): void {
    const { kind, variables, body, otherwise } = node;
    const value = this.#value(node.value, frame);
    if (!isTrue(value)) this.write(otherwise, frame);
    else if (kind === 'range') {
      for (const [key, item] of listEntries(value)) {
        const names = variables.length === 1 ? ['', ...variables] : variables;
        this.write(body, { dot: item, variables: named(frame, names, [key, item]) });
      }
    } else this.write(body, { dot: kind === 'with' ? value : frame.dot, variables: named(frame, variables, [value]) });
  }

  #value(operand: Operand, frame: Frame): JsonValue {
    this.#spend();
    if (operand.kind === 'literal') return operand.value;
    if (operand.kind === 'call') {
      const args = operand.args.map((arg) => this.#value(arg, frame));
      this.#readAll(args);
      return callTemplateFunction(operand.name, args);
    }
    const { variable, path } = operand;
    return path.reduce<JsonValue>(readItem, this.#start(variable, frame));
  }

  #start(variable: string | undefined, { dot, variables }: Frame): JsonValue {
    if (variable === undefined) return dot;
    if (variable === '') return this.#data;
    const value = variables.get(variable);
    if (value === undefined) throw actionFailed('The template reads a variable that is not set.');
    return value;
  }

  #put(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#maxBytes) throw actionFailed(`The text is longer than ${this.#maxBytes} bytes.`);
    this.#parts.push(text);
  }

  #readAll(args: readonly JsonValue[]): void {
    for (const arg of args) this.#read += typeof arg === 'object' ? JSON.stringify(arg).length : String(arg).length;
    if (this.#read > maxRead) throw actionFailed('The template takes too long.');
  }

  #spend(work = 1): void {
    this.#work += work;
    if (this.#work > maxWork) throw actionFailed('The template takes too long.');
  }
}

function listEntries(value: JsonValue): readonly (readonly [JsonValue, JsonValue])[] {
  if (isList(value)) return value.map((item, index) => [index, item] as const);
  if (typeof value !== 'object' || value === null)
    throw actionFailed('The template iterates over a value that is not a list.');
  // Sorted by key, as Go templates do.
  return Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
}

function named(frame: Frame, names: readonly string[], values: readonly JsonValue[]): ReadonlyMap<string, JsonValue> {
  const variables = new Map(frame.variables);
  names.forEach((name, index) => name !== '' && variables.set(name, values[index] ?? null));
  return variables;
}
