import { quote } from '../../source/text/quote';
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
    const interpreter = readWords(command.value);
    const code = interpreter === undefined ? undefined : findOwnCode(interpreter);
    if (code !== undefined) {
      const message = `the command executes the code after ${quote(code)}, so the script would never be; write one of them, as run`;
      step.context.report.add('conflicting_keys', script.keyLocation, message);
    }
    return { kind: 'run', run: readScript(script.value), interpreter, settings };
  }
  const given = command ?? script;
  if (!given?.value) return missing(fields, step);
  const isAlone = !fields.type && !fields.executor;
  reportDeprecated(given.keyLocation, 'run', step, isAlone ? renameTo('run') : undefined);
  return { kind: 'run', run: readRun(given.value), settings };
}

/** Returns the option before the code of a command such as `sh -c 'echo x'`; of `sh -c` alone, the script is the code. */
function findOwnCode([program = '', ...args]: readonly string[]): string | undefined {
  const isCode = codeOptions.find(({ name }) => name.test(program.slice(program.lastIndexOf('/') + 1)))?.option;
  const at = args.findIndex((arg) => isCode?.test(arg));
  return at === -1 || at === args.length - 1 ? undefined : args[at];
}

const codeOptions: readonly { readonly name: RegExp; readonly option: RegExp }[] = [
  { name: /^[a-z]*sh[\d.]*$/, option: /^-[a-z]*c$/ },
  { name: /^(?:python|pypy)[\d.]*$/, option: /^-[A-Za-z]*c$/ },
  { name: /^(?:perl|ruby)[\d.]*$/, option: /^-[A-Za-z0-9]*[eE]$/ },
  { name: /^(?:node|nodejs|bun)$/, option: /^(?:-p?[ep]|--eval|--print)$/ },
  { name: /^php[\d.]*$/, option: /^-r$/ },
];

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
