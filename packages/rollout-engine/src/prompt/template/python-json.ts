import { pythonFloat } from './python-text';
import { getEntries, isList, isObject, getItems, printedNumber, type TemplateValue } from './template-value';

export interface JsonTextOptions {
  readonly ensureAscii: boolean;
  /** Spaces per level, or `undefined` for one line. */
  readonly indent: number | undefined;
  readonly separators: readonly [item: string, key: string] | undefined;
  readonly sortKeys: boolean;
}

/** Like `tojson` of transformers: Python's `json.dumps` without the HTML escapes of Jinja's own filter. */
export function pythonJson(value: TemplateValue, options: JsonTextOptions): string {
  const [itemSeparator, keySeparator] = options.separators ?? [options.indent === undefined ? ', ' : ',', ': '];
  const text = (content: string): string => {
    const json = JSON.stringify(content);
    return options.ensureAscii ? json.replaceAll(/[\u007f-\uffff]/g, escaped) : json;
  };
  const group = (open: string, parts: readonly string[], close: string, depth: number): string => {
    if (parts.length === 0) return open + close;
    if (options.indent === undefined) return open + parts.join(itemSeparator) + close;
    const inner = `\n${' '.repeat(options.indent * (depth + 1))}`;
    return open + inner + parts.join(itemSeparator + inner) + `\n${' '.repeat(options.indent * depth)}` + close;
  };
  const write = (part: TemplateValue, depth: number): string => {
    if (isList(part)) return group('[', getItems(part).map((item) => write(item, depth + 1)), ']', depth); // prettier-ignore
    if (isObject(part)) {
      const entries = [...getEntries(part)];
      if (options.sortKeys) entries.sort(([a], [b]) => (a < b ? -1 : 1));
      const members = entries.map(([key, item]) => text(key) + keySeparator + write(item, depth + 1));
      return group('{', members, '}', depth);
    }
    return part.type === 'StringValue' ? text(String(part.value)) : plain(part);
  };
  return write(value, 0);
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function plain(value: TemplateValue): string {
  switch (value.type) {
    case 'NullValue':
      return 'null';
    case 'BooleanValue':
      return value.value === true ? 'true' : 'false';
    case 'IntegerValue':
      return printedNumber(value) ?? String(value.value);
    case 'FloatValue':
      return jsonFloat(Number(value.value));
    default:
      // As in Python, where undefined values and functions are not serialisable.
      throw new Error('The template converts a value to JSON that has no JSON form.');
  }
}

function jsonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? pythonFloat(value) : `${value < 0 ? '-' : ''}Infinity`;
}
