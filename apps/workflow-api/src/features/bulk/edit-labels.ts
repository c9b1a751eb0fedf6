import { AppError } from '@weir/foundation';
import { isAlias, isMap, isScalar, isSeq, parseDocument, stringify, type Node, type Pair } from 'yaml';

export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Limits the text, because parsing blocks the thread of the server. */
const maxLength = 65_536;

/**
 * Returns the text of a DAG file with other labels, unchanged everywhere else. Labels that come from a base
 * configuration are not in the file, so they stay. Throws `labels_not_editable`.
 */
export function editLabels(text: string, { add, remove }: LabelChange): string {
  if (text.length > maxLength) throw notEditable(`the file is longer than ${maxLength} characters`);
  // The first document of a file is the DAG; errors of a text are found when it is stored.
  const { contents } = parseDocument(text);
  if (!isMap(contents) || contents.flow === true) throw notEditable('the file is no block of keys');
  const found = contents.items.find(({ key }) => isScalar(key) && (key.value === 'labels' || key.value === 'tags'));
  const present = found === undefined ? [] : readLabels(found);
  const removed = new Set(remove.map(normalize));
  const wanted = [...new Set([...present.map(normalize), ...add.map(normalize)])].filter(
    (label) => !removed.has(label),
  );
  if (wanted.length === present.length && wanted.every((label, index) => label === normalize(present[index] ?? '')))
    return text;
  const list = stringify(wanted, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trim();
  return found === undefined ? insertLine(text, contents.items[0], list) : replaceValue(text, found, list);
}

/** Normalizes a label as the language does: lower-case, and `key=` is `key`. */
function normalize(label: string): string {
  return label.trim().toLowerCase().replace(/=$/, '');
}

function readLabels({ value }: Pair): readonly string[] {
  if (value === null || (isScalar(value) && value.value === null)) return [];
  if (isScalar(value))
    return readScalar(value)
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  if (isSeq(value)) return value.items.map(readScalar);
  if (isMap(value))
    return value.items.map(({ key, value: of }) => `${readScalar(key)}=${of === null ? '' : readScalar(of)}`);
  throw notEditable(isAlias(value) ? 'its labels are an alias' : 'its labels are not readable');
}

function readScalar(node: unknown): string {
  if (!isScalar(node)) throw notEditable('its labels are not readable');
  return node.source ?? '';
}

function replaceValue(text: string, { key, value }: Pair, list: string): string {
  const [, keyEnd] = rangeOf(key);
  const colonEnd = text.indexOf(':', keyEnd) + 1;
  const valueEnd = value === null ? colonEnd : Math.max(rangeOf(value)[1], colonEnd);
  // The range of a list of lines includes the end of the last line.
  const end = colonEnd + text.slice(colonEnd, valueEnd).trimEnd().length;
  return `${text.slice(0, keyEnd)}: ${list}${text.slice(end)}`;
}

function insertLine(text: string, first: Pair | undefined, list: string): string {
  if (first === undefined) throw notEditable('the file has no keys');
  const [start] = rangeOf(first.key);
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (indent.trim() !== '') throw notEditable('its first key does not begin a line');
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return `${text.slice(0, start)}labels: ${list}${lineEnd}${indent}${text.slice(start)}`;
}

function rangeOf(node: unknown): readonly [number, number] {
  const range = (node as Node | null)?.range;
  if (!range) throw notEditable('its labels are not readable');
  return [range[0], range[1]];
}

function notEditable(why: string): AppError {
  return new AppError('invalid_request', `The labels cannot be changed: ${why}.`, { reason: 'labels_not_editable' });
}
