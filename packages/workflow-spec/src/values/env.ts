import type { EnvEntry } from '../dag';
import { limits } from '../limits';
import { quote } from '../quote';
import { atMost } from '../read/at-most';
import { readText, wrongKind, type Reader } from '../read/readers';
import { describePath } from '../yaml/node-place';
import { entriesOf, itemsOf, kindOf, report, type YamlEntry, type YamlValue } from '../yaml/yaml-value';

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const bound = { limit: limits.envEntries, code: 'invalid_env_entry', what: 'env' } as const;

/** A map, or a list of maps and `NAME=value` texts; the order of the file is kept. */
export const readEnv: Reader<readonly EnvEntry[]> = (value) => {
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

function readList(value: YamlValue): readonly EnvEntry[] {
  // Items are texts or maps of entries, so both the items and what they hold are counted.
  const read = atMost(itemsOf(value), value, bound).flatMap((item) =>
    kindOf(item) === 'map' ? atMost(entriesOf(item), item, bound).flatMap(readMapEntry) : readAssignment(item),
  );
  return atMost(read, value, bound);
}

function readMapEntry({ key, spot, value }: YamlEntry): readonly EnvEntry[] {
  if (!namePattern.test(key)) {
    value.context.report.add('invalid_env_name', spot, invalidName(key));
    return [];
  }
  const text = kindOf(value) === 'null' ? '' : readText(value);
  return text === undefined ? [] : [{ name: key, value: text }];
}

function readAssignment(item: YamlValue): readonly EnvEntry[] {
  const text = readText(item);
  if (text === undefined) return [];
  const equalsAt = text.indexOf('=');
  const name = text.slice(0, equalsAt);
  if (equalsAt === -1) report(item, 'invalid_env_entry', `${describePath(item.path)} must be NAME=value or a map`);
  else if (!namePattern.test(name)) report(item, 'invalid_env_name', invalidName(name));
  else return [{ name, value: text.slice(equalsAt + 1) }];
  return [];
}

function invalidName(name: string): string {
  return `invalid environment variable name ${quote(name)}: letters, digits and underscores, not beginning with a digit`;
}
