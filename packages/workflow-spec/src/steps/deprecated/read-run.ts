import { splitWords } from '../../source/text/words';
import { readText, readTextList } from '../../shapes/readers';
import { reportInvalid } from '../../shapes/shapes';
import { readRun, readScript } from '../../keys/step-keys/read-run';
import { getKind, type YamlValue } from '../../source/yaml/yaml-value';
import { deprecatedFormKeys } from '../../keys/step-keys/form-keys';
import { renameTo, reportDeprecated } from '../../shapes/report-deprecated';
import type { StepFields, StepForm } from '../form/step-form';

const runKeys: readonly string[] = ['type', 'executor', 'config', 'command', 'script'];

/** Reads a deprecated step with `command`, `script`, or a script and the command that interprets it. */
export function readDeprecatedRun(fields: StepFields, step: YamlValue): StepForm {
  const { command, script } = fields;
  for (const key of deprecatedFormKeys) {
    const field = fields[key];
    if (!field || runKeys.includes(key)) continue;
    const message = `${command ? 'command' : 'script'} cannot be used together with ${key}`;
    step.context.report.add('conflicting_keys', field.keyLocation, message);
  }
  const settings = fields.with?.value ?? fields.config?.value ?? fields.executor?.value?.config;
  if (fields.config)
    reportDeprecated(fields.config.keyLocation, 'with', step, fields.with ? undefined : renameTo('with'));
  if (command?.value && script?.value) {
    reportDeprecated(command.keyLocation, 'with.shell', step);
    reportDeprecated(script.keyLocation, 'run', step);
    return { kind: 'run', run: readScript(script.value), interpreter: readWords(command.value), settings };
  }
  const given = command ?? script;
  if (!given?.value) return missing(fields, step);
  const isAlone = !fields.type && !fields.executor;
  reportDeprecated(given.keyLocation, 'run', step, isAlone ? renameTo('run') : undefined);
  return { kind: 'run', run: readRun(given.value), settings };
}

/** Reads the words of a command, given as a string or a list. */
export function readWords(value: YamlValue): readonly string[] | undefined {
  if (getKind(value) === 'list') return readTextList(value);
  const text = readText(value);
  if (text === undefined) return undefined;
  const words = splitWords(text)?.map((word) => word.text);
  if (words === undefined) return reportInvalid(value, 'has a quote that is not closed');
  return words.length === 0 ? reportInvalid(value, 'must not be empty') : words;
}

function missing(fields: StepFields, step: YamlValue): StepForm {
  const location = (fields.type ?? fields.executor ?? fields.config)?.keyLocation ?? step;
  step.context.report.add('missing_key', location, 'run is required: the step has no command');
  return { kind: 'broken' };
}
