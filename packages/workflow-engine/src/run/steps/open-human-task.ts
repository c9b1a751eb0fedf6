import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import { resolveField, type Scope } from '@weir/workflow-spec/values';
import { commitOwned } from '../../model/ports/run-store';
import type { ExecuteStep } from '../context/run-context';
import { maskScope } from '../../values/masking/mask-scope';
import { resolveStep } from '../../values/run-values/resolve-step';

/** Their strings are for programs, or name steps. */
const keptKeys: ReadonlySet<string> = new Set(['type', 'pattern', 'required', 'rewind_to']);

/**
 * Nothing executes: the answer of a person ends the step. What the person is asked is stored with its references
 * replaced, and stays so however long the run waits.
 */
export const openHumanTask: ExecuteStep = async (context, execution) => {
  const { step, stored, values } = execution;
  const settings = step.run.kind === 'action' ? step.run.with : {};
  const task = resolveTexts(settings, maskScope(resolveStep(execution).scope, values.masker));
  const patch = { scope: stored.scope, position: stored.position, memo: { task } };
  await commitOwned(context, { kind: 'steps_changed', lease: context.lease, patches: [patch] });
  return { status: 'waiting' };
};

function resolveTexts(value: JsonValue, scope: Scope): JsonValue {
  if (typeof value === 'string') return resolveField(value, scope);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => resolveTexts(item, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [
      key,
      keptKeys.has(key) ? inner : resolveTexts(inner, scope),
    ]),
  );
}
