import { getEntries, isList, isObject, getItems, printedNumber, type TemplateValue } from './template-value';

/** Python's `str()`, which Jinja prints. */
export function pythonText(value: TemplateValue): string {
  return value.type === 'StringValue' ? String(value.value) : pythonRepresentation(value);
}

/** Python's `repr()`; the empty text for an undefined value, as in Jinja. */
export function pythonRepresentation(value: TemplateValue): string {
  switch (value.type) {
    case 'StringValue':
      return quoted(String(value.value));
    case 'NullValue':
      return 'None';
    case 'UndefinedValue':
      return '';
    case 'BooleanValue':
      return value.value === true ? 'True' : 'False';
    case 'IntegerValue':
      return printedNumber(value) ?? String(value.value);
    case 'FloatValue':
      return pythonFloat(Number(value.value));
    default:
      return containerText(value);
  }
}

function containerText(value: TemplateValue): string {
  if (isList(value)) {
    const items = getItems(value).map(pythonRepresentation);
    if (value.type === 'ArrayValue') return `[${items.join(', ')}]`;
    return items.length === 1 ? `(${items.join('')},)` : `(${items.join(', ')})`;
  }
  if (isObject(value)) {
    const entries = Array.from(getEntries(value), ([key, item]) => `${quoted(key)}: ${pythonRepresentation(item)}`);
    return `{${entries.join(', ')}}`;
  }
  throw new Error('The template prints a function.');
}

/** Shortest digits as in JavaScript; an exponent of at least two digits from 1e16 and below 1e-4. */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, '0')}`;
  }
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}

const shortEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  // Python escapes every character that is not printable.
  const body = text.replaceAll(/[\\'"\p{C}\p{Z}]/gu, (character) => {
    if (character === quote) return `\\${character}`;
    if (character === ' ' || character === '"' || character === "'") return character;
    return shortEscapes[character] ?? numbered(character.codePointAt(0) ?? 0);
  });
  return `${quote}${body}${quote}`;
}

function numbered(code: number): string {
  const hexadecimal = code.toString(16);
  if (code < 0x100) return `\\x${hexadecimal.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hexadecimal.padStart(4, '0')}` : `\\U${hexadecimal.padStart(8, '0')}`;
}
