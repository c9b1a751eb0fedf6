import type { JsonValue, Step } from '@weir/workflow-spec';

const maxShownLength = 80;

export interface NamedOutput {
  readonly name: string;
  readonly value: JsonValue;
}

/** The outputs that a step published. Lists, because names such as `__proto__` are special in objects. */
export interface StepOutputs {
  /** The variable of `output: NAME`. */
  readonly variable?: { readonly name: string; readonly value: string };
  /** The values of `output` as a map and of `stdout.outputs`. */
  readonly fields: readonly NamedOutput[];
  /** The values of `outputs`. */
  readonly declared: readonly NamedOutput[];
}

export const noOutputs: StepOutputs = { fields: [], declared: [] };

export function publishesOutputs({ output, outputs, outputSchema }: Step): boolean {
  return output !== undefined || outputs !== undefined || outputSchema !== undefined;
}

/** Whether outputs of the step have to be collected or copied. */
export function collectsOutputs(step: Step): boolean {
  return publishesOutputs(step) || step.stdout !== undefined || step.stderr !== undefined;
}

/** The size of the outputs in bytes, including names. */
export function outputBytes({ variable, fields, declared }: StepOutputs): number {
  const named = [...fields, ...declared].map(
    ({ name, value }) => name.length + Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value)),
  );
  const own = variable === undefined ? 0 : variable.name.length + Buffer.byteLength(variable.value);
  return named.reduce((sum, bytes) => sum + bytes, own);
}

/** Quotes the name of an output for a message. It consists of letters, digits and underscores, and may be very long. */
export function shownName(name: string): string {
  return `"${name.length > maxShownLength ? `${name.slice(0, maxShownLength)}…` : name}"`;
}
