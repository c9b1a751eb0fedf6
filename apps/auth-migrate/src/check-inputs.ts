import { isScalar } from 'yaml';
import type { AuthStep, Entry } from './auth-steps';
import { checkAwsInputs } from './check-aws-inputs';
import { checkAzureInputs } from './check-azure-inputs';
import { removeEntry } from './edits';
import { peerBooleans, peerInputs } from './peer-interface';
import { checkName, toRemark, type Remark } from './remark';

/** Finds the changes in the inputs of a step. */
export function checkInputs(text: string, step: AuthStep): readonly Remark[] {
  return removeEmptyWith(text, step, checks[step.peer](text, step));
}

const checks = { google: checkGoogleInputs, aws: checkAwsInputs, azure: checkAzureInputs };

function checkGoogleInputs(text: string, step: AuthStep): readonly Remark[] {
  return step.inputs.flatMap((input) => {
    const known = peerInputs.find(({ name }) => name === input.name.toLowerCase());
    return [...checkName(text, { step, input, here: known?.here }), ...checkBoolean(step, input)];
  });
}

function removeEmptyWith(text: string, step: AuthStep, remarks: readonly Remark[]): readonly Remark[] {
  const removed = remarks.filter(({ code, edit }) => code === 'input_unneeded' && edit !== undefined);
  const everyInputGoes = removed.length > 0 && removed.length === step.inputs.length;
  if (!everyInputGoes || step.with === undefined) return remarks;
  // A `with` without inputs is not valid, so it goes with the last of them.
  const edit = removeEntry(text, step.with);
  return remarks.map((remark, index): Remark => {
    if (remark.code !== 'input_unneeded') return remark;
    const { edit: _, ...rest } = remark;
    return edit === undefined ? { ...rest, kind: 'manual' } : { ...rest, ...(index === 0 && { edit }) };
  });
}

/** The peer reads an empty text as false from 2.1.9 on, where this action uses the default. */
function checkBoolean({ release }: AuthStep, { name, value, key }: Entry): readonly Remark[] {
  const isOfPeer = peerBooleans.includes(name.toLowerCase());
  if (!isOfPeer || (release.major !== undefined && release.major < 2) || !isScalar(value)) return [];
  const { value: content, range } = value;
  const offset = key.range?.[0] ?? 0;
  if (typeof content === 'string' && content.includes('${{')) {
    const message = `\`${name}\` has its default if this expression is empty; for the other action, empty is false`;
    return [{ offset, kind: 'note', code: 'boolean_may_be_empty', message }];
  }
  if (content !== '' && content !== null) return [];
  const message = `write \`${name}: false\`: an empty value is the default here`;
  const [start, end] = range ?? [0, 0];
  const isQuoted = end > start;
  const edit = isQuoted ? { start, end, text: 'false' } : undefined;
  return [toRemark(edit, { offset, code: 'boolean_empty', message })];
}
