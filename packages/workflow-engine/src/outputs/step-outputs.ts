import type { JsonValue, Step } from '@weir/workflow-spec';

const maxShownLength = 80;

export interface NamedOutput {
  readonly name: string;
  readonly value: JsonValue;
}

/** What a step published. Lists, because a name may be one that objects treat in their own way. */
export interface StepOutputs {
  /** Of `output: NAME`. */
  readonly variable?: { readonly name: string; readonly value: string };
  /** Of `output` as a map and `stdout.outputs`. */
  readonly fields: readonly NamedOutput[];
  /** Of `outputs`. */
  readonly declared: readonly NamedOutput[];
}

/** What takes the place of the outputs of an attempt that has none. */
export const noOutputs: StepOutputs = { fields: [], declared: [] };

export function publishesOutputs({ output, outputs, outputSchema }: Step): boolean {
  return output !== undefined || outputs !== undefined || outputSchema !== undefined;
}

/** Whether an attempt of the step leaves anything to be taken or copied. */
export function collectsOutputs(step: Step): boolean {
  return publishesOutputs(step) || step.stdout !== undefined || step.stderr !== undefined;
}

/** Bytes that the outputs take, names included. */
export function outputBytes({ variable, fields, declared }: StepOutputs): number {
  const named = [...fields, ...declared].map(
    ({ name, value }) => name.length + Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value)),
  );
  const own = variable === undefined ? 0 : variable.name.length + Buffer.byteLength(variable.value);
  return named.reduce((sum, bytes) => sum + bytes, own);
}

/** A name of an output inside a message. It has letters, digits and underscores only, and may be very long. */
export function shownName(name: string): string {
  return `"${name.length > maxShownLength ? `${name.slice(0, maxShownLength)}…` : name}"`;
}
