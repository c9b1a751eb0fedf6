import { quote } from '../source/text/quote';
import type { SourceLocation } from '../source/findings/source-location';
import type { YamlValue } from '../source/yaml/yaml-value';

export interface Located<T extends { readonly name: string }> {
  readonly value: T;
  readonly location: SourceLocation;
}

/** Returns only the first of several values with the same name; the others are reported. */
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
