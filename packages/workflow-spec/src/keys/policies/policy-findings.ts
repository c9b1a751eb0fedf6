import type { FindingCode } from '../../source/findings/catalogue/finding-catalogue';
import type { SuggestedFix } from '../../source/findings/source-location';
import type { Field } from '../../shapes/read-object';
import { describePath } from '../../source/findings/describe-path';
import { report, type YamlValue } from '../../source/yaml/yaml-value';

/** Returns undefined, so that a reader can end with it. */
export function reportField(value: YamlValue, code: FindingCode, message: string, fix?: SuggestedFix): undefined {
  report(value, code, `field '${describePath(value.path)}': ${message}`, fix);
  return undefined;
}

export function reportMissingKey(value: YamlValue, what: string): undefined {
  return reportField(value, 'missing_key', what);
}

const substitution = /`|\$\(/;

/** Warns about a command in a string that is compared literally. */
export function reportCommandAsText({ value, source }: Field<string>, advice: string, fix?: SuggestedFix): void {
  if (value === undefined || !substitution.test(value)) return;
  const path = describePath(source.path);
  report(
    source,
    'condition_is_text',
    `field '${path}': a string with expected is compared, not executed as a command; ${advice}`,
    fix,
  );
}

/** Warns about a valid value that has no effect. */
export function reportWithoutEffect(value: YamlValue, why: string): void {
  report(value, 'policy_without_effect', `field '${describePath(value.path)}' has no effect: ${why}`);
}
