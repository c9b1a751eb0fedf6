import type { FindingCode } from '../findings/catalogue/finding-catalogue';
import type { SuggestedFix } from '../findings/source-location';
import type { Field } from '../shapes/read-object';
import { describePath } from '../yaml/node-location';
import { report, type YamlValue } from '../yaml/yaml-value';

/** Reports the value; nothing is returned, so that a reader can end with it. */
export function reportField(value: YamlValue, code: FindingCode, message: string, fix?: SuggestedFix): undefined {
  report(value, code, `field '${describePath(value.path)}': ${message}`, fix);
  return undefined;
}

/** Reports what is missing inside the value. */
export function reportMissingKey(value: YamlValue, what: string): undefined {
  return reportField(value, 'missing_key', what);
}

const substitution = /`|\$\(/;

/** Points out a command inside a text that is compared as it stands. */
export function reportCommandAsText({ value, source }: Field<string>, advice: string, fix?: SuggestedFix): void {
  if (value === undefined || !substitution.test(value)) return;
  const path = describePath(source.path);
  report(source, 'condition_is_text', `field '${path}': a text beside expected runs no command; ${advice}`, fix);
}

/** Says that the value is fine as it stands, but does nothing where it stands. */
export function reportWithoutEffect(value: YamlValue, why: string): void {
  report(value, 'policy_without_effect', `field '${describePath(value.path)}' has no effect: ${why}`);
}
