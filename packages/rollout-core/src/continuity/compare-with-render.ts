/** `template`: context or structure; `retokenised`: same text, other ids; `other`: the text of an answer. */
export type DriftKind = 'template' | 'retokenised' | 'other';

export interface DriftInput {
  /** The tokens of a finished path. */
  readonly ids: Int32Array;
  /** Holds 1 for each id that was sampled. */
  readonly sampled: Uint8Array;
  /** The same conversation, rendered and encoded from text. */
  readonly rendered: Int32Array;
  readonly isControl: (id: number) => boolean;
  readonly toText: (ids: Int32Array) => string;
}

export interface DriftReport {
  readonly counts: Readonly<Record<DriftKind, number>>;
  /** Position of the first difference in `ids`; `undefined` if there is none. */
  readonly firstAt: number | undefined;
}

interface Section {
  readonly start: number;
  readonly end: number;
}

/**
 * Compares a stored path with the rendering of its conversation, section by section between control tokens, in one pass
 * over both. Where the control tokens differ, later sections cannot be paired: one `template` difference ends the
 * comparison.
 */
export function compareWithRender(input: DriftInput): DriftReport {
  const { ids, rendered, isControl } = input;
  const counts = { template: 0, retokenised: 0, other: 0 };
  let firstAt: number | undefined;
  const stored = splitSections(ids, isControl);
  const again = splitSections(rendered, isControl);
  for (const [index, storedSection] of stored.entries()) {
    const renderedSection = again[index];
    const isLast = storedSection.end === ids.length;
    // A path ends with its last sampled token; the text that the template renders after it was not sent.
    if (isLast && storedSection.start === storedSection.end) break;
    const kind = renderedSection === undefined ? 'template' : compareSections(input, storedSection, renderedSection);
    // A closer that also opens the next message is sampled at the end of one, and rendered at the start of the next.
    const isLastCloser =
      storedSection.end === ids.length - 1 &&
      input.sampled[storedSection.end] === 1 &&
      renderedSection?.end === rendered.length;
    const isSameControl =
      isLast ||
      isLastCloser ||
      (renderedSection !== undefined && ids[storedSection.end] === rendered[renderedSection.end]);
    if (kind !== undefined) counts[kind] += 1;
    if (!isSameControl && kind !== 'template') counts.template += 1;
    if (kind !== undefined || !isSameControl) firstAt ??= storedSection.start;
    if (!isSameControl) break;
  }
  return { counts, firstAt };
}

/** Plain tokens up to the control token at `end`; the last section ends with the ids. */
function splitSections(ids: Int32Array, isControl: (id: number) => boolean): readonly Section[] {
  const sections: Section[] = [];
  let start = 0;
  for (let at = 0; at < ids.length; at += 1) {
    if (!isControl(ids[at] ?? 0)) continue;
    sections.push({ start, end: at });
    start = at + 1;
  }
  return [...sections, { start, end: ids.length }];
}

function compareSections(input: DriftInput, storedSection: Section, renderedSection: Section): DriftKind | undefined {
  const stored = input.ids.subarray(storedSection.start, storedSection.end);
  const again = input.rendered.subarray(renderedSection.start, renderedSection.end);
  if (isSame(stored, again)) return undefined;
  if (input.toText(stored) === input.toText(again)) return 'retokenised';
  return isSameContext(input, storedSection, again) ? 'other' : 'template';
}

/** Whether the strings before the first and after the last sampled token of the section are as rendered. */
function isSameContext({ sampled, ids, toText }: DriftInput, { start, end }: Section, again: Int32Array): boolean {
  const first = sampled.subarray(start, end).indexOf(1);
  if (first < 0) return false;
  const last = sampled.subarray(start, end).lastIndexOf(1);
  const text = toText(again);
  const before = toText(ids.subarray(start, start + first));
  const after = toText(ids.subarray(start + last + 1, end));
  return text.startsWith(before) && text.endsWith(after) && text.length >= before.length + after.length;
}

const isSame = (a: Int32Array, b: Int32Array): boolean => a.length === b.length && a.every((id, at) => id === b[at]);
