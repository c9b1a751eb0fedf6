import { isMap, isScalar } from 'yaml';
import { readEntries, type AuthStep, type Entry } from './auth-steps';
import { awsInputs } from './aws-interface';
import { insertBefore, removeEntry } from './edits';
import type { Edit } from './finding';
import type { Remark } from './remark';

/** The inputs of the peer become variables of the step, which the requests of this action read. */
export function checkAwsProxy(text: string, step: AuthStep): readonly Remark[] {
  const inputs = step.inputs.filter((input) => findVariable(input) !== undefined);
  const [first] = inputs;
  if (first === undefined) return [];
  const added = insertVariables(text, step, inputs);
  const removed = inputs.map((input) => removeEntry(text, input));
  const isPossible = added !== undefined && removed.every((edit) => edit !== undefined);
  const variables = inputs.map((input) => `\`${findVariable(input)}\``).join(' and ');
  const remarks = inputs.map((input, index): Remark => {
    const message = `remove \`${input.name}\`: \`${findVariable(input)}\` in the \`env\` of the step is read`;
    const offset = offsetOf(input);
    const edit = removed[index];
    return isPossible && edit !== undefined
      ? { offset, kind: 'change', code: 'input_unneeded', message, edit }
      : { offset, kind: 'manual', code: 'input_by_hand', message };
  });
  const message = `add ${variables} to the \`env\` of the step`;
  if (!isPossible) return remarks;
  return [{ offset: offsetOf(first), kind: 'change', code: 'input_added', message, edit: added }, ...remarks];
}

/** Undefined if a line is not possible, or the step has such a variable already. */
function insertVariables(text: string, { env, with: block }: AuthStep, inputs: readonly Entry[]): Edit | undefined {
  const lines = inputs.map((input) => {
    const value = sourceOf(text, input);
    return value === undefined ? undefined : `${findVariable(input)}: ${value}`;
  });
  const given = lines.filter((line) => line !== undefined);
  if (given.length < lines.length || block === undefined) return undefined;
  if (env === undefined) return insertBefore(text, block, 'env:', ...given.map((line) => `  ${line}`));
  const [entry, ...others] = isMap(env.value) ? readEntries(env.value) : [];
  const isTaken = [entry, ...others].some((each) => inputs.some((input) => each?.name === findVariable(input)));
  return entry === undefined || isTaken ? undefined : insertBefore(text, entry, ...given);
}

/** The value as it is written, in one line. */
function sourceOf(text: string, { value }: Entry): string | undefined {
  const [start, end] = (isScalar(value) ? value.range : undefined) ?? [0, 0];
  const source = text.slice(start, end);
  return source === '' || source.includes('\n') ? undefined : source;
}

function findVariable({ name }: Entry): string | undefined {
  const here = awsInputs.find((field) => field.name === name.toLowerCase())?.here;
  return here?.is === 'variable' ? here.to : undefined;
}

function offsetOf({ key }: Entry): number {
  return key.range?.[0] ?? 0;
}
