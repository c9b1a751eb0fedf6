import { isScalar } from 'yaml';
import type { AuthStep, Entry } from './auth-steps';
import { removeEntry, replaceScalar } from './edits';
import type { Edit, FindingCode, FindingKind } from './finding';
import { peerBooleans, peerInputs } from './peer-interface';

/** A remark about a position of the text. */
export interface Remark {
  readonly offset: number;
  readonly kind: FindingKind;
  readonly code: FindingCode;
  readonly message: string;
  readonly edit?: Edit;
}

/** Finds the changes in the inputs of a step. */
export function checkInputs(text: string, step: AuthStep): readonly Remark[] {
  const remarks = step.inputs.flatMap((input) => [...checkName(text, step, input), ...checkBoolean(step, input)]);
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

function checkName(text: string, step: AuthStep, input: Entry): readonly Remark[] {
  const offset = input.key.range?.[0] ?? 0;
  // Inputs have no case.
  const name = input.name.toLowerCase();
  const known = peerInputs.find((field) => field.name === name);
  if (known === undefined) {
    const message = `\`${input.name}\` is no input of ${step.action}; remove it, or correct its name`;
    return [{ offset, kind: 'note', code: 'input_unknown', message }];
  }
  const { here } = known;
  if (here.is === 'same') return [];
  if (here.is === 'unneeded') {
    const edit = removeEntry(text, input);
    const message = `remove \`${input.name}\`: ${here.why}`;
    return [toRemark(edit, { offset, code: 'input_unneeded', message })];
  }
  const edit = replaceScalar(text, input.key, input.name, here.to);
  return [toRemark(edit, { offset, code: 'input_renamed', message: `rename \`${input.name}\` to \`${here.to}\`` })];
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

export function toRemark(edit: Edit | undefined, remark: Omit<Remark, 'kind' | 'edit'>): Remark {
  return edit === undefined ? { ...remark, kind: 'manual' } : { ...remark, kind: 'change', edit };
}
