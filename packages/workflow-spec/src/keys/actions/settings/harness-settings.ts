import { limits } from '../../../model/limits';
import {
  flagStyles,
  knownHarnesses,
  promptModes,
  promptPositions,
  type Harness,
  type Harnesses,
} from '../../../model/harness';
import type { JsonValue } from '../../../model/json';
import { keySpec } from '../../../shapes/object-kind';
import { reportWrongKind } from '../../../shapes/readers';
import { namedShape, shape } from '../../../shapes/shape';
import {
  anyJson,
  enumShape,
  listShape,
  nonEmptyText,
  orReference,
  boolean,
  recordShape,
  text,
} from '../../../shapes/shapes';
import { quote } from '../../../source/text/quote';
import { getEntries, getItems, getKind, report, type YamlValue } from '../../../source/yaml/yaml-value';
import { settingBound, texts } from '../../../shapes/settings/setting-shapes';
import { settingsShape } from '../../../shapes/settings/settings-shape';

const scalarKinds = ['text', 'number', 'boolean'];

/** The value of a flag, or its values. */
const flagValue = shape<JsonValue>(
  (value) => {
    const all = getKind(value) === 'list' ? getItems(value) : [value];
    const wrong = all.find((each) => !scalarKinds.includes(getKind(each)));
    return wrong === undefined ? anyJson.read(value) : reportWrongKind(wrong, 'a string, number or boolean');
  },
  {
    anyOf: [
      { type: ['string', 'number', 'boolean'] },
      { type: 'array', items: { type: ['string', 'number', 'boolean'] }, maxItems: limits.settingEntries },
    ],
  },
);

/** All other keys are flags of the program. */
const flags = { names: /^[A-Za-z][A-Za-z0-9_-]*$/, shape: flagValue } as const;

const managed = shape<boolean | string, boolean>(
  (value) => {
    const found = orReference(boolean).read(value);
    if (found === true) {
      const message = 'managed: true is not supported by this version: the program is started for each step';
      report(value, 'unsupported_value', message);
    }
    return found;
  },
  (book) => orReference(boolean).schema(book),
);

const inline = {
  binary: 'a program: define it in harnesses',
  prompt_args: 'arguments of a program: define it in harnesses',
} as const;

const provider = 'Name of the harness: one of the DAG, or claude, codex, copilot, opencode or pi';
const managedKey = keySpec('Only false: sessions of an OpenCode server are not supported', managed);

const fallback = namedShape(
  'HarnessFallback',
  settingsShape({
    title: 'fallback of a harness',
    keys: { provider: keySpec(provider, nonEmptyText, { required: true }), managed: managedKey },
    others: flags,
    unsupported: { ...inline, fallback: 'a fallback of a fallback', prompt: 'another prompt', stdin: 'another input' },
  }),
);

const harnessKeys = {
  provider: keySpec(provider, nonEmptyText),
  fallback: keySpec(
    'What is called when this one has failed, in this order',
    listShape(fallback, settingBound('fallback')),
  ),
  managed: managedKey,
} as const;

/** The keys of the settings of `harness.run`. */
export const harnessSettings = {
  keys: {
    prompt: keySpec('What the program is to do', nonEmptyText, { required: true }),
    stdin: keySpec('Text on its standard input', text),
    ...harnessKeys,
  },
  others: flags,
  unsupported: inline,
} as const;

/** The shape of the `harness` of a DAG. */
export const harnessDefaults = settingsShape({
  title: 'harness',
  keys: harnessKeys,
  others: flags,
  unsupported: { ...inline, prompt: 'a prompt for all steps', stdin: 'an input for all steps' },
});

const definition = settingsShape({
  title: 'definition of a harness',
  keys: {
    binary: keySpec('The program: a name that is found in PATH, or a path', nonEmptyText, { required: true }),
    prefix_args: keySpec('Arguments before the prompt and all flags', texts('prefix_args')),
    prompt_mode: keySpec('arg (default), flag or stdin', enumShape(...promptModes)),
    prompt_flag: keySpec('The flag before the prompt; with prompt_mode: flag', nonEmptyText),
    prompt_position: keySpec('before_flags (default) or after_flags', enumShape(...promptPositions)),
    flag_style: keySpec('gnu_long (default): --name value; or single_dash: -name value', enumShape(...flagStyles)),
    option_flags: keySpec('Flags of options, by the key', recordShape(nonEmptyText, settingBound('option_flags'))),
  },
  check: ({ prompt_mode: mode, prompt_flag: flag }, value) => {
    const isFlag = mode?.value === 'flag';
    if (isFlag && !flag) report(value, 'missing_key', 'prompt_flag is required with prompt_mode: flag');
    if (!isFlag && flag) {
      value.context.report.add('conflicting_keys', flag.keyLocation, 'prompt_flag needs prompt_mode: flag');
    }
  },
});

const named = recordShape(namedShape('Harness', definition), {
  limit: limits.harnesses,
  code: 'invalid_value',
  what: 'harnesses',
});

/** The shape of the `harnesses` of a DAG. */
export const harnessDefinitions = shape<Harnesses>(
  (value) => {
    if (getKind(value) === 'map') getEntries(value).forEach(({ key, location }) => checkName(key, location, value));
    // Each was read by the shape of a definition, whose keys are those of a harness and have no reference in its words.
    return named.read(value) as Harnesses | undefined;
  },
  (book) => ({ ...named.schema(book), propertyNames: { pattern: flags.names.source } }),
);

function checkName(name: string, location: Parameters<YamlValue['context']['report']['add']>[1], map: YamlValue): void {
  const problem = knownHarnesses.has(name) ? 'is built in' : flags.names.test(name) ? undefined : 'is no name';
  if (problem === undefined) return;
  map.context.report.add('invalid_value', location, `the harness ${quote(name)} ${problem}`);
}

/** Finds a harness by its name. */
export function findHarness(name: string, own: Harnesses | undefined): Harness | undefined {
  if (own !== undefined && Object.hasOwn(own, name)) return own[name];
  return knownHarnesses.get(name);
}
