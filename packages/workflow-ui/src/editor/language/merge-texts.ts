import { Text } from '@codemirror/state';
import { Chunk } from '@codemirror/merge';

export interface Merged {
  /** The text with the changes of both; our changes win where both changed the same lines. */
  readonly text: string;
  /** The number of places where both have changed the same lines. */
  readonly conflicts: number;
}

interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Merges two sets of changes to one text by lines. Lines that neither changed stay. */
export function mergeTexts(base: string, ours: string, theirs: string): Merged {
  // With a line break after the last line, lines are compared whole.
  const own = changesOf(`${base}\n`, `${ours}\n`);
  const other = changesOf(`${base}\n`, `${theirs}\n`);
  const isSame = (one: Change, two: Change): boolean =>
    one.from === two.from && one.to === two.to && one.text === two.text;
  const added = other.filter((change) => !own.some((each) => isSame(each, change)));
  const free = added.filter((change) => !own.some((each) => each.from <= change.to && change.from <= each.to));
  const merged = apply(`${base}\n`, [...own, ...free]);
  return { text: merged.slice(0, -1), conflicts: added.length - free.length };
}

function changesOf(from: string, to: string): readonly Change[] {
  const [before, after] = [Text.of(from.split('\n')), Text.of(to.split('\n'))];
  return Chunk.build(before, after).map((chunk) => ({
    from: chunk.fromA,
    to: Math.min(chunk.toA, before.length),
    text: after.sliceString(chunk.fromB, Math.min(chunk.toB, after.length)),
  }));
}

function apply(text: string, changes: readonly Change[]): string {
  return [...changes]
    .sort((one, other) => other.from - one.from)
    .reduce((changed, change) => changed.slice(0, change.from) + change.text + changed.slice(change.to), text);
}
