import type { SuggestedFix, SourceLocation } from '../source/findings/source-location';
import { quote } from '../source/text/quote';
import type { YamlValue } from '../source/yaml/yaml-value';

/** Reports a deprecated key with its replacement, such as `action: dag.run`. */
export function reportDeprecated(
  key: SourceLocation,
  replacement: string,
  { context }: YamlValue,
  fix?: SuggestedFix,
): void {
  const name = context.text.slice(...key.range);
  context.report.add('deprecated_key', key, `${quote(name)} is a deprecated form; write ${quote(replacement)}`, fix);
}

/** A fix that renames the key, for values that stay the same. */
export function renameTo(name: string): SuggestedFix {
  return { title: `Rename to ${quote(name)}`, text: name };
}

/** Reports a key of the step that its action does not support. */
export function reportField(action: string, key: string, location: SourceLocation, { context }: YamlValue): void {
  const message = `action ${quote(action)} does not support the ${key} field`;
  context.report.add('conflicting_keys', location, message);
}
