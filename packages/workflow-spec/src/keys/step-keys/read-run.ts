import type { LocalRun } from '../../model/step';
import { readNonEmptyText, readTextList, reportWrongKind, type Reader } from '../../shapes/readers';
import { getKind, report, type YamlValue } from '../../source/yaml/yaml-value';

/** A single line or a list is commands; several lines are a script, even if all but one are blank. */
export const readRun: Reader<LocalRun> = (value) => {
  const kind = getKind(value);
  if (kind === 'list') return readCommands(value);
  if (kind === 'map' || kind === 'null') return reportWrongKind(value, 'a string or a list of strings');
  const text = readNonEmptyText(value);
  if (text === undefined) return undefined;
  return text.replace(/\r?\n$/, '').includes('\n')
    ? { kind: 'script', script: text }
    : { kind: 'commands', commands: [text.trim()] };
};

/** Reads code for an interpreter, which may not accept a command: always as a script. */
export const readScript: Reader<LocalRun> = (value) => {
  const text = readNonEmptyText(value);
  if (text === undefined) return undefined;
  // `readRun` also treats a line followed by a blank one as a script.
  return { kind: 'script', script: /\n[^\n]*\n?$/.test(text.replace(/\n$/, '')) ? text : `${text.trimEnd()}\n\n` };
};

function readCommands(value: YamlValue): LocalRun | undefined {
  const commands = readTextList(value);
  if (commands === undefined || commands.length > 0) return commands && { kind: 'commands', commands };
  report(value, 'invalid_value', '"run" must contain at least one command');
  return undefined;
}
