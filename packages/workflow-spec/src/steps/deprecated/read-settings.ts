import { quote } from '../../source/text/quote';
import { getEntries, getKind, type YamlEntry, type YamlValue } from '../../source/yaml/yaml-value';
import { syntheticEntry, syntheticList, syntheticMap, syntheticValue } from '../../source/yaml/synthetic-value';
import { reportWrongKind } from '../../shapes/readers';
import { requestLine, requestScript } from './http-request';
import { movedKeys, deprecatedFormKeys } from '../../keys/step-keys/form-keys';
import { renameTo, reportField, reportDeprecated } from '../../shapes/report-deprecated';
import { readWords } from './read-run';
import { shellKeys } from '../form/shell-settings';
import type { StepFields } from '../form/step-form';

interface DeprecatedCall {
  readonly action: string;
  readonly fields: StepFields;
  readonly step: YamlValue;
}

const typeKeys: readonly string[] = ['type', 'executor', 'config'];

/** Reads the settings of an action in a deprecated form: `config`, and keys of the step itself. */
export function readDeprecatedSettings(call: DeprecatedCall): YamlValue {
  const { fields, step } = call;
  const config = readConfig(call);
  const entries = new Map<string, YamlEntry>();
  const all = [...(config ? getEntries(config) : []), ...movedEntries(call)];
  for (const entry of all) {
    const { key, location } = entry;
    if (!entries.has(key)) entries.set(key, entry);
    else step.context.report.add('conflicting_keys', location, `${quote(key)} is given twice; keep one of them`);
  }
  return syntheticMap([...entries.values()], config ?? fields.type?.source ?? step, step.context);
}

function readConfig({ fields, step }: DeprecatedCall): YamlValue | undefined {
  const inner = fields.executor?.value?.config;
  const given = [fields.with, fields.config].flatMap((field) =>
    field?.value ? [{ ...field, value: field.value }] : [],
  );
  if (fields.config)
    reportDeprecated(fields.config.keyLocation, 'with', step, fields.with ? undefined : renameTo('with'));
  const [first, second] = given;
  const extra = inner && first ? first : second;
  if (extra) step.context.report.add('conflicting_keys', extra.keyLocation, 'the settings of the step are given twice');
  const config = inner ?? first?.value;
  if (config === undefined || getKind(config) === 'map') return config;
  return reportWrongKind(config, 'a map');
}

function movedEntries(call: DeprecatedCall): readonly YamlEntry[] {
  const { action, fields, step } = call;
  const moved = movedKeys[action] ?? {};
  return ([...deprecatedFormKeys, ...shellKeys] as const).flatMap((key) => {
    const field = fields[key];
    if (!field || typeKeys.includes(key)) return [];
    const special = action === 'http.request' ? requestEntries(key, field.source) : undefined;
    const setting = key === 'shell_args' ? undefined : moved[key];
    if (setting === undefined && !special) {
      reportField(action, key, field.keyLocation, step);
      return [];
    }
    reportDeprecated(field.keyLocation, replacement(action, special ? 'with' : (setting ?? '')), step);
    return (
      special ?? (setting === '*' ? mergedEntries(key, field.source) : [syntheticEntry(setting ?? '', field.source)])
    );
  });
}

function requestEntries(key: string, value: YamlValue): readonly YamlEntry[] | undefined {
  if (key === 'command') return requestLine(value);
  return key === 'script' ? requestScript(value) : undefined;
}

/** Settings given as a map; `exec` may also be a list of words. */
function mergedEntries(key: string, value: YamlValue): readonly YamlEntry[] {
  if (getKind(value) === 'map') return getEntries(value);
  if (key !== 'exec') {
    reportWrongKind(value, 'a map');
    return [];
  }
  const [program, ...others] = (readWords(value) ?? []).map((word) => syntheticValue(word, value, value.context));
  if (!program) return [];
  const args = others.length === 0 ? [] : [syntheticEntry('args', syntheticList(others, value, value.context))];
  return [syntheticEntry('command', program), ...args];
}

function replacement(action: string, setting: string): string {
  return setting === '*' || setting === 'with' ? `with of action: ${action}` : `with.${setting} of action: ${action}`;
}
