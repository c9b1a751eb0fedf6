import type { AuthStep, Entry } from './auth-steps';
import { removeEntry, replaceScalar } from './edits';
import type { Edit, FindingCode, FindingKind } from './finding';
import type { Here } from './peer-interface';

/** A remark about a position of the text. */
export interface Remark {
  readonly offset: number;
  readonly kind: FindingKind;
  readonly code: FindingCode;
  readonly message: string;
  readonly edit?: Edit;
}

/** A change if there is an edit, otherwise left to a person. */
export function toRemark(edit: Edit | undefined, remark: Omit<Remark, 'kind' | 'edit'>): Remark {
  return edit === undefined ? { ...remark, kind: 'manual' } : { ...remark, kind: 'change', edit };
}

export interface NamedInput {
  readonly step: AuthStep;
  readonly input: Entry;
  /** `undefined` for an input that the peer does not have. */
  readonly here: Here | undefined;
}

/** What changes because the input has another name here, or no counterpart. */
export function checkName(text: string, { step, input, here }: NamedInput): readonly Remark[] {
  const offset = input.key.range?.[0] ?? 0;
  if (here === undefined) {
    const message = `\`${input.name}\` is no input of ${step.action}; remove it, or correct its name`;
    return [{ offset, kind: 'note', code: 'input_unknown', message }];
  }
  if (here.is === 'same') return [];
  if (here.is === 'unneeded') {
    const edit = removeEntry(text, input);
    const message = `remove \`${input.name}\`: ${here.why}`;
    return [toRemark(edit, { offset, code: 'input_unneeded', message })];
  }
  if (here.is === 'manual') {
    const message = `remove \`${input.name}\`: ${here.why}`;
    return [{ offset, kind: 'manual', code: 'input_by_hand', message }];
  }
  const edit = replaceScalar(text, input.key, input.name, here.to);
  return [toRemark(edit, { offset, code: 'input_renamed', message: `rename \`${input.name}\` to \`${here.to}\`` })];
}
