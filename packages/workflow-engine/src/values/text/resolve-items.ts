import type { Items, JsonValue } from '@weir/workflow-spec';
import { readItems, resolveField, type ItemsProblem, type Scope } from '@weir/workflow-spec/values';
import { resolveTexts } from './resolve-texts';

/**
 * The items of a loop with their references replaced. With `words`, a string may be more than a JSON array; see
 * `readItems`. A reference without a value is a problem: passed on as it is written, it would be taken for an item.
 */
export function resolveItems(
  items: Items,
  scope: Scope,
  options: { readonly words: boolean },
): readonly JsonValue[] | ItemsProblem {
  const missing: string[] = [];
  const strict: Scope = {
    ...scope,
    unresolved: (reference) => {
      missing.push(reference);
      scope.unresolved?.(reference);
    },
  };
  const resolved =
    typeof items === 'string' ? resolveField(items, strict) : items.map((item) => resolveTexts(item, strict));
  if (missing.length > 0) return { problem: `the items are not known: ${missing.slice(0, 3).join(', ')} has no value` };
  return typeof resolved === 'string' ? readItems(resolved, options) : resolved;
}
