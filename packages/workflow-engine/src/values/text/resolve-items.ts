import {
  readItems,
  resolveField,
  type Items,
  type ItemsProblem,
  type JsonValue,
  type Scope,
} from '@weir/workflow-spec';
import { resolveTexts } from './resolve-texts';

/**
 * The items of a loop with their references replaced. With `words`, a string that is not a JSON array is split at
 * blanks.
 */
export function resolveItems(
  items: Items,
  scope: Scope,
  options: { readonly words: boolean },
): readonly JsonValue[] | ItemsProblem {
  if (typeof items === 'string') return readItems(resolveField(items, scope), options);
  return items.map((item) => resolveTexts(item, scope));
}
