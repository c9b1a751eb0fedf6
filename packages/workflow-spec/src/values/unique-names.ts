import { quote } from '../quote';
import type { Spot } from '../finding-report';
import type { YamlValue } from '../yaml/yaml-value';

/** Something with a name, and where the name stands. */
export interface Placed<T extends { readonly name: string }> {
  readonly value: T;
  readonly spot: Spot;
}

/** The values in their order; of those with the same name the first, the others are reported. */
export function uniqueNames<T extends { readonly name: string }>(
  placed: readonly Placed<T>[],
  what: string,
  { context }: YamlValue,
): readonly T[] {
  const names = new Set<string>();
  return placed.flatMap(({ value, spot }) => {
    if (!names.has(value.name)) {
      names.add(value.name);
      return [value];
    }
    context.report.add('duplicate_name', spot, `duplicate ${what} ${quote(value.name)}`);
    return [];
  });
}
