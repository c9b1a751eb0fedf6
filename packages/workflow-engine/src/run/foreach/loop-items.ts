import { AppError } from '@weir/foundation';
import type { JsonValue, Step, StepRun } from '@weir/workflow-spec';
import { resolveField, type Scope } from '@weir/workflow-spec/values';
import { commitOwned } from '../../model/ports/run-store';
import type { RunContext } from '../context/run-context';
import type { StepExecution } from '../../scope/loop/step-execution';
import { resolveItems } from '../../values/text/resolve-items';

export type Loop = Extract<StepRun, { kind: 'foreach' }>;

export function getLoop({ run }: Step): Loop {
  if (run.kind !== 'foreach') throw new AppError('internal', `A step of kind ${run.kind} is no loop.`);
  return run;
}

/** Resolved and stored once: a resumed run keeps the items that it started with. */
export async function resolveLoopItems(
  context: RunContext,
  { step, stored, scope: active }: StepExecution,
  scope: Scope,
): Promise<readonly JsonValue[] | { readonly problem: string }> {
  const memo = active.memos.get(stored.position);
  if (memo !== null && typeof memo === 'object' && 'items' in memo) return memo.items as readonly JsonValue[];
  const items = resolveItems(getLoop(step).items, scope, { words: false });
  if ('problem' in items) return items;
  const patch = { scope: stored.scope, position: stored.position, memo: { items } };
  await commitOwned(context, { kind: 'steps_changed', lease: context.lease, patches: [patch] });
  return items;
}

interface LoopItem {
  readonly item: JsonValue;
  readonly index: number;
  readonly key?: string;
}

export function resolveItemKey(loop: Loop, item: LoopItem, scope: Scope): string {
  if (loop.key === undefined) return String(item.index);
  return resolveField(loop.key, { ...scope, foreach: new Map([...(scope.foreach ?? []), ...itemValues(loop, item)]) });
}

/** The values of `${foreach.…}`; a loop whose item is called `index` or `key` means the item. */
export function itemValues({ as }: Loop, { item, index, key }: LoopItem): readonly (readonly [string, JsonValue])[] {
  return [['index', index], ...(key === undefined ? [] : [['key', key] as const]), [as, item]];
}
