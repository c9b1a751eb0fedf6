import type { OutputEvent } from '@weir/rollout-core';

/** Joins adjacent pieces of one kind, so that tokens that arrived together are reported together. */
export function mergeEvents(events: readonly OutputEvent[]): readonly OutputEvent[] {
  const merged: OutputEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    const joined = last === undefined ? undefined : join(last, event);
    if (joined === undefined) merged.push(event);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}

function join(left: OutputEvent, right: OutputEvent): OutputEvent | undefined {
  if (left.kind === 'call_arguments') {
    const isSame = right.kind === 'call_arguments' && left.index === right.index;
    return isSame ? { ...left, text: left.text + right.text } : undefined;
  }
  const isText =
    (left.kind === 'text' && right.kind === 'text') || (left.kind === 'reasoning' && right.kind === 'reasoning');
  return isText ? { ...left, text: left.text + right.text } : undefined;
}
