import type { EnvEntry } from '../canonical/step';
import { limits } from '../limits';
import { atMost } from '../read/at-most';
import { readText, wrongKind, type Reader } from '../read/readers';
import { namedShape, shape } from '../read/shape';
import { describePath } from '../yaml/node-place';
import { quote } from '../quote';
import { envNamePattern, invalidEnvName } from './env-name';
import { holdsCommand } from './holds-command';
import { entriesOf, itemsOf, kindOf, report, type YamlEntry, type YamlValue } from '../yaml/yaml-value';

const bound = { limit: limits.envEntries, code: 'invalid_env_entry', what: 'env' } as const;

/** A map, or a list of maps and `NAME=value` texts; the order of the file is kept. */
const readEnv: Reader<readonly EnvEntry[]> = (value) => {
  switch (kindOf(value)) {
    case 'map':
      return atMost(entriesOf(value), value, bound).flatMap(readMapEntry);
    case 'list':
      return readList(value);
    default: {
      wrongKind(value, 'a map, or a list of maps or NAME=value texts');
      return undefined;
    }
  }
};

const scalar = ['string', 'number', 'boolean', 'null'];
const propertyNames = { pattern: envNamePattern.source };

/** Environment entries in all their forms. */
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
  // Items are texts or maps of entries, so both the items and what they hold are counted.
  const read = atMost(itemsOf(value), value, bound).flatMap((item) =>
    kindOf(item) === 'map' ? atMost(entriesOf(item), item, bound).flatMap(readMapEntry) : readAssignment(item),
  );
  return atMost(read, value, bound);
}

function readMapEntry({ key, spot, value }: YamlEntry): readonly EnvEntry[] {
  if (!envNamePattern.test(key)) {
    value.context.report.add('invalid_env_name', spot, invalidEnvName(key));
    return [];
  }
  const text = kindOf(value) === 'null' ? '' : readText(value);
  return text === undefined ? [] : [toEntry(key, text, value)];
}

function readAssignment(item: YamlValue): readonly EnvEntry[] {
  const text = readText(item);
  if (text === undefined) return [];
  const equalsAt = text.indexOf('=');
  const name = text.slice(0, equalsAt);
  if (equalsAt === -1) report(item, 'invalid_env_entry', `${describePath(item.path)} must be NAME=value or a map`);
  else if (!envNamePattern.test(name)) report(item, 'invalid_env_name', invalidEnvName(name));
  else return [toEntry(name, text.slice(equalsAt + 1), item)];
  return [];
}

function toEntry(name: string, value: string, place: YamlValue): EnvEntry {
  if (holdsCommand(value)) {
    const message = `the variable ${quote(name)} has a text with a command in it, which does not run; eval of a parameter does`;
    report(place, 'command_is_text', message);
  }
  return { name, value };
}
