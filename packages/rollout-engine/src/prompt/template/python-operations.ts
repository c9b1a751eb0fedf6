import { pythonJson, type JsonTextOptions } from './python-json';
import { pythonText } from './python-text';
import {
  getEntries,
  floatValue,
  functionValue,
  integerValue,
  isList,
  isMissing,
  isObject,
  isText,
  getItems,
  listValue,
  missingValue,
  noneValue,
  textValue,
  type TemplateValue,
} from './template-value';

type Arguments = readonly TemplateValue[];

const first = (args: Arguments): TemplateValue => args[0] ?? missingValue();
const isNone = (value: TemplateValue) => value.type === 'NullValue';
const isNumber = (value: TemplateValue) => value.type === 'IntegerValue' || value.type === 'FloatValue';

const isKeywords = (value: TemplateValue) => value.type === 'KeywordArgumentsValue';

function getKeywords(args: Arguments): ReadonlyMap<string, TemplateValue> {
  const keywords = args.find(isKeywords);
  return keywords === undefined ? new Map() : getEntries(keywords);
}

/** Filters and operators that behave differently in Python, by the names that `parsePythonProgram` inserts. */
export const pythonOperations: ReadonlyMap<string, TemplateValue> = new Map(
  Object.entries({
    __text: (args: Arguments) => textValue(pythonText(first(args))),
    __strip: (args: Arguments) => stripped(args, 'both'),
    __lstrip: (args: Arguments) => stripped(args, 'start'),
    __rstrip: (args: Arguments) => stripped(args, 'end'),
    __join: join,
    __tojson: toJson,
    __concat: (args: Arguments) => textValue(args.map(pythonText).join('')),
    __add: add,
  }).map(([name, call]) => [name, functionValue(call)]),
);

function stripped(args: Arguments, side: 'both' | 'start' | 'end'): TemplateValue {
  const characters = args.slice(1).find((argument) => !isKeywords(argument)) ?? getKeywords(args).get('chars');
  const set = characters === undefined || isNone(characters) ? undefined : new Set(pythonText(characters));
  return textValue(stripText(pythonText(first(args)), side, set));
}

function join(args: Arguments): TemplateValue {
  const named = getKeywords(args);
  const [separator = named.get('d')] = args.slice(1).filter((argument) => !isKeywords(argument));
  const attribute = named.get('attribute');
  const items = first(args);
  const values = isList(items) ? getItems(items) : Array.from(pythonText(items), textValue);
  const parts = attribute === undefined ? values : values.map((item) => readAttribute(item, pythonText(attribute)));
  return textValue(parts.map(pythonText).join(separator === undefined ? '' : pythonText(separator)));
}

const readAttribute = (value: TemplateValue, name: string): TemplateValue =>
  (isObject(value) ? getEntries(value).get(name) : undefined) ?? missingValue();

/** JSON of the tools is the same for every completion of a session, so it is cached as long as the value lives. */
const jsonByValue = new WeakMap<TemplateValue, string>();

function toJson(args: Arguments): TemplateValue {
  const value = first(args);
  const options = jsonOptions(args.slice(1));
  const isUsual =
    !options.ensureAscii && !options.sortKeys && options.indent === undefined && options.separators === undefined;
  if (!isUsual || !(isObject(value) || isList(value))) return textValue(pythonJson(value, options));
  const json = jsonByValue.get(value) ?? pythonJson(value, options);
  jsonByValue.set(value, json);
  return textValue(json);
}

function jsonOptions(args: Arguments): JsonTextOptions {
  const named = getKeywords(args);
  const positional = args.filter((argument) => !isKeywords(argument));
  const option = (index: number, name: string) => positional[index] ?? named.get(name);
  const isSet = (value: TemplateValue | undefined) => value?.__bool__().value === true;
  const indent = option(1, 'indent');
  const separators = option(2, 'separators');
  return {
    ensureAscii: isSet(option(0, 'ensure_ascii')),
    indent: indent === undefined || isNone(indent) ? undefined : Number(indent.value),
    separators: separators === undefined || !isList(separators) ? undefined : separatorPair(getItems(separators)),
    sortKeys: isSet(option(3, 'sort_keys')),
  };
}

const separatorPair = ([item, key]: Arguments): [string, string] => [
  item === undefined ? ', ' : pythonText(item),
  key === undefined ? ': ' : pythonText(key),
];

/** As in Python, adding a string and something else is an error. */
function add(args: Arguments): TemplateValue {
  const left = first(args);
  const right = args[1] ?? missingValue();
  if (isText(left) && isText(right)) return textValue(pythonText(left) + pythonText(right));
  if (isNumber(left) && isNumber(right)) {
    const sum = Number(left.value) + Number(right.value);
    return left.type === 'FloatValue' || right.type === 'FloatValue' ? floatValue(sum) : integerValue(sum);
  }
  if (isList(left) && isList(right)) return listValue([...getItems(left), ...getItems(right)]);
  throw new Error(`The template adds ${left.type} and ${right.type}.`);
}

/** `{{ value }}`: undefined prints as nothing, None as its name. */
export const printValue = functionValue((args) => {
  const value = first(args);
  return isText(value) ? value : isMissing(value) ? noneValue() : textValue(pythonText(value));
});

// White space in Python includes U+001C to U+001F and U+0085, but not the byte order mark.
const isSpace = (character: string): boolean =>
  character !== '\ufeff' && (/\s/.test(character) || character === '\u0085' || isSeparator(character));

const isSeparator = (character: string): boolean => character >= '\u001c' && character <= '\u001f';

/**
 * Python's `strip`, `lstrip` and `rstrip`. They use a loop, because a regular expression takes n² steps for n inner
 * spaces.
 */
function stripText(text: string, side: 'both' | 'start' | 'end', characters?: ReadonlySet<string>): string {
  const goes = (character: string) => (characters === undefined ? isSpace(character) : characters.has(character));
  let start = 0;
  let end = text.length;
  while (side !== 'end' && start < end) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
    if (!goes(character)) break;
    start += character.length;
  }
  while (side !== 'start' && end > start) {
    const isPair = end - start > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff;
    const character = text.slice(end - (isPair ? 2 : 1), end);
    if (!goes(character)) break;
    end -= character.length;
  }
  return text.slice(start, end);
}
