import type { EnvEntry } from '../../model/step';
import { limits } from '../../model/limits';
import { limitEntries } from '../../shapes/limit-entries';
import { readText, reportWrongKind, type Reader } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { describePath } from '../../source/findings/describe-path';
import { quote } from '../../source/text/quote';
import { envNamePattern, invalidEnvName } from './env-name';
import { reservedEnvNames, reservedNameProblem } from './reserved-names';
import { containsCommand } from './contains-command';
import { getEntries, getItems, getKind, report, type YamlEntry, type YamlValue } from '../../source/yaml/yaml-value';

const bound = { limit: limits.envEntries, code: 'invalid_env_entry', what: 'env' } as const;

const readEnv: Reader<readonly EnvEntry[]> = (value) => {
  switch (getKind(value)) {
    case 'map':
      return limitEntries(getEntries(value), value, bound).flatMap(readMapEntry);
    case 'list':
      return readList(value);
    default: {
      reportWrongKind(value, 'a map, or a list of maps or NAME=value strings');
      return undefined;
    }
  }
};

const scalar = ['string', 'number', 'boolean', 'null'];
const propertyNames = { pattern: envNamePattern.source, not: { enum: reservedEnvNames } };

export const env = namedShape(
  'Environment',
  shape(readEnv, {
    anyOf: [
      { type: 'object', additionalProperties: { type: scalar }, propertyNames },
      {
        type: 'array',
        items: {
          anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: scalar }, propertyNames }],
        },
      },
    ],
  }),
);

function readList(value: YamlValue): readonly EnvEntry[] {
  // An item may be a map of several entries, so items and entries are both counted.
  const read = limitEntries(getItems(value), value, bound).flatMap((item) =>
    getKind(item) === 'map' ? limitEntries(getEntries(item), item, bound).flatMap(readMapEntry) : readAssignment(item),
  );
  return limitEntries(read, value, bound);
}

function readMapEntry({ key, location, value }: YamlEntry): readonly EnvEntry[] {
  if (!envNamePattern.test(key)) {
    value.context.report.add('invalid_env_name', location, invalidEnvName(key));
    return [];
  }
  const problem = reservedNameProblem(key);
  if (problem !== undefined) {
    value.context.report.add('reserved_env_name', location, problem);
    return [];
  }
  const text = getKind(value) === 'null' ? '' : readText(value);
  return text === undefined ? [] : [toEntry(key, text, value)];
}

function readAssignment(item: YamlValue): readonly EnvEntry[] {
  const text = readText(item);
  if (text === undefined) return [];
  const equalsAt = text.indexOf('=');
  const name = text.slice(0, equalsAt);
  const problem = reservedNameProblem(name);
  if (equalsAt === -1) report(item, 'invalid_env_entry', `${describePath(item.path)} must be NAME=value or a map`);
  else if (!envNamePattern.test(name)) report(item, 'invalid_env_name', invalidEnvName(name));
  else if (problem !== undefined) report(item, 'reserved_env_name', problem);
  else return [toEntry(name, text.slice(equalsAt + 1), item)];
  return [];
}

function toEntry(name: string, value: string, source: YamlValue): EnvEntry {
  if (containsCommand(value)) {
    const message = `the variable ${quote(name)} contains a command, which is not executed here; use eval of a parameter`;
    report(source, 'command_is_text', message);
  }
  return { name, value };
}
