import type { SuggestedFix, SourceLocation } from '../findings/source-location';
import { quote } from '../text/quote';
import type { YamlValue } from '../yaml/yaml-value';

/** Says that a key is an old form, and what is written now: `action: dag.run`. */
export function reportOld(key: SourceLocation, replacement: string, { context }: YamlValue, fix?: SuggestedFix): void {
  const name = context.text.slice(...key.range);
  context.report.add('deprecated_key', key, `${quote(name)} is a deprecated form; write ${quote(replacement)}`, fix);
}

/** Renames the key, which is enough where its value stays as it is. */
export function renameTo(name: string): SuggestedFix {
  return { title: `Rename to ${quote(name)}`, text: name };
}

/** Says that a key of the step means nothing beside its action. */
export function reportField(action: string, key: string, location: SourceLocation, { context }: YamlValue): void {
  const message = `action ${quote(action)} does not support the ${key} field`;
  context.report.add('conflicting_keys', location, message);
}
