import { quote } from '../text/quote';
import type { SourceLocation } from '../findings/source-location';
import type { YamlValue } from '../yaml/yaml-value';

/** Something with a name, and where the name stands. */
export interface Located<T extends { readonly name: string }> {
  readonly value: T;
  readonly location: SourceLocation;
}

/** The values in their order; of those with the same name the first, the others are reported. */
export function uniqueNames<T extends { readonly name: string }>(
  located: readonly Located<T>[],
  what: string,
  { context }: YamlValue,
): readonly T[] {
  const names = new Set<string>();
  return located.flatMap(({ value, location }) => {
    if (!names.has(value.name)) {
      names.add(value.name);
      return [value];
    }
    context.report.add('duplicate_name', location, `duplicate ${what} ${quote(value.name)}`);
    return [];
  });
}
