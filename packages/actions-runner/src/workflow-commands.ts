import type { Masks } from './masks';
import type { Annotation, ParsedCommand, Variables } from './runner-types';

const known = new Set([
  'debug',
  'notice',
  'warning',
  'error',
  'group',
  'endgroup',
  'add-mask',
  'add-matcher',
  'remove-matcher',
  'echo',
  'stop-commands',
  'set-env',
  'add-path',
  'set-output',
  'save-state',
]);
const levels = ['notice', 'warning', 'error'] as const;

export interface CommandReader {
  /** Processes a line of output. Returns the masked line for the log; `undefined` if the line is not logged. */
  readonly line: (text: string) => string | undefined;
  /** Adds an annotation of the runner itself. */
  readonly annotate: (level: Annotation['level'], message: string) => string;
  readonly annotations: readonly Annotation[];
  readonly commands: readonly ParsedCommand[];
  readonly outputs: Map<string, string>;
  readonly state: Map<string, string>;
}

/** Executes the workflow commands in the output of one process. */
export function createCommandReader(masks: Masks): CommandReader {
  const annotations: Annotation[] = [];
  const commands: ParsedCommand[] = [];
  const outputs = new Map<string, string>();
  const state = new Map<string, string>();
  let stopToken: string | undefined;

  const annotate = (level: Annotation['level'], message: string, properties: Variables = {}): string => {
    const shown = Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, masks.apply(value)]));
    annotations.push({ level, message: masks.apply(message), properties: shown });
    return masks.apply(`##[${level}]${message}`);
  };

  const execute = (command: ParsedCommand): string | undefined => {
    const { name, properties, data } = command;
    const level = levels.find((candidate) => candidate === name);
    if (level !== undefined) return annotate(level, data, properties);
    switch (name) {
      case 'debug':
      case 'group':
      case 'endgroup':
        return masks.apply(`##[${name}]${data}`);
      case 'add-mask':
        if (data.trim() === '') {
          return annotate('warning', "Can't add secret mask for empty string in ##[add-mask] command.");
        }
        masks.add(data);
        return undefined;
      case 'stop-commands':
        stopToken = data;
        return undefined;
      case 'set-env':
      case 'add-path':
        return annotate('error', `The \`${name}\` command is disabled.`);
      case 'set-output':
      case 'save-state':
        (name === 'set-output' ? outputs : state).set(properties.name ?? '', data);
        return annotate('warning', `The \`${name}\` command is deprecated and will be disabled soon.`);
      default:
        return undefined;
    }
  };

  return {
    line: (text) => {
      const command = parseCommand(text, stopToken);
      if (command === undefined) return masks.apply(text);
      if (stopToken !== undefined) {
        if (command.name !== stopToken.toLowerCase()) return masks.apply(text);
        stopToken = undefined;
        return undefined;
      }
      commands.push(command);
      return execute(command);
    },
    annotate: (level, message) => annotate(level, message),
    annotations,
    commands,
    outputs,
    state,
  };
}

/** The command in a line, if the runner supports it. Ignores leading whitespace. */
export function parseCommand(line: string, stopToken?: string): ParsedCommand | undefined {
  const text = line.trimStart();
  const end = text.indexOf('::', 2);
  if (!text.startsWith('::') || end < 0) return undefined;
  const head = text.slice(2, end);
  const blank = head.indexOf(' ');
  const name = (blank < 0 ? head : head.slice(0, blank)).toLowerCase();
  if (!known.has(name) && name !== stopToken?.toLowerCase()) return undefined;
  const pairs = blank < 0 ? [] : head.slice(blank + 1).split(',');
  return { name, properties: Object.fromEntries(pairs.flatMap(property)), data: unescapeData(text.slice(end + 2)) };
}

function property(pair: string): [string, string][] {
  const equals = pair.indexOf('=');
  const [name, value] = [pair.slice(0, equals).trim(), pair.slice(equals + 1)];
  return equals <= 0 || value === '' ? [] : [[name, unescapeProperty(value)]];
}

function unescapeData(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}

function unescapeProperty(text: string): string {
  return unescapeData(text.replaceAll('%3A', ':').replaceAll('%2C', ','));
}
