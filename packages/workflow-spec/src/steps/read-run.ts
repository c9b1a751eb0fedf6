import type { StepRun } from '../dag';
import { quote } from '../quote';
import type { Field, ReadObject } from '../read/read-object';
import { readFilledText, readTextList, wrongKind, type Reader } from '../read/readers';
import { describePath } from '../yaml/node-place';
import { kindOf, report, type YamlValue } from '../yaml/yaml-value';
import type { stepKeys } from './step-kind';

type StepFields = ReadObject<typeof stepKeys>;

/** One line or a list is commands; several lines are a script. */
export const readRun: Reader<StepRun> = (value) => {
  const kind = kindOf(value);
  if (kind === 'list') return readCommands(value);
  if (kind === 'map' || kind === 'null') {
    wrongKind(value, 'a text or a list of texts');
    return undefined;
  }
  const text = readFilledText(value);
  if (text === undefined) return undefined;
  const line = text.trim();
  return line.includes('\n') ? { kind: 'script', script: text } : { kind: 'commands', commands: [line] };
};

/** The older `script`: a script however many lines it has. */
export const readScript: Reader<StepRun> = (value) => {
  const script = readFilledText(value);
  return script === undefined ? undefined : { kind: 'script', script };
};

/** The one of `run`, `command` and `script` that was given. Reports two of them, and none where one is needed. */
export function pickRun({ fields, unsupported }: StepFields, step: YamlValue): StepRun {
  const given = (['run', 'command', 'script'] as const).flatMap((name) => {
    const field: Field<StepRun> | undefined = fields[name];
    return field ? [{ name, field }] : [];
  });
  const [first, ...others] = given;
  for (const { name, field } of others) {
    const message = `${first?.name ?? ''} cannot be used together with ${name}`;
    step.context.report.add('conflicting_keys', field.key, message);
  }
  // An action or another unsupported key says already why there is nothing to run.
  if (!first && unsupported.size === 0) {
    report(step, 'missing_key', `run is required: ${describePath(step.path)} has nothing to do`);
  }
  return first?.field.value ?? { kind: 'commands', commands: [] };
}

function readCommands(value: YamlValue): StepRun | undefined {
  const commands = readTextList(value) ?? [];
  if (commands.length > 0) return { kind: 'commands', commands };
  report(value, 'invalid_value', `${quote('run')} must hold at least one command`);
  return undefined;
}
