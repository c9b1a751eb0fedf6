/** The position of the cursor in a spec. */
export interface KeyContext {
  /** The keys around it, from the outermost. */
  readonly path: readonly string[];
  /** The kind of text that is typed: a key, its value, or a reference within a value. */
  readonly place: 'key' | 'value' | 'reference';
  /** The key of a value. */
  readonly key?: string;
  /** The text that is already typed. */
  readonly typed: string;
  /** The offset where that text begins. */
  readonly from: number;
}

const keyStart = /^((?:\s|- )*)([\w.-]*)$/;
const valueStart = /^((?:\s|- )*)([\w.-]+):\s+(?:\[(?:.*,)?\s*)?["']?([^\s"',\]]*)$/;
const itemStart = /^(\s*)-\s+["']?([^\s"',:]*)$/;
const reference = /\$\{([\w.-]*)$/;

/** Finds out, by indentation alone, what is being typed at an offset; the text may be broken everywhere else. */
export function contextAt(text: string, offset: number): KeyContext | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(lineStart, offset);
  const above = text.slice(0, lineStart).split('\n').slice(0, -1);
  const referred = reference.exec(line);
  if (referred !== null) {
    const typed = referred[1] ?? '';
    return { path: [], place: 'reference', typed, from: offset - typed.length };
  }
  const value = valueStart.exec(line);
  if (value !== null) {
    const [, lead = '', key = '', typed = ''] = value;
    return { path: parentsOf(above, lead), place: 'value', key, typed, from: offset - typed.length };
  }
  const item = itemStart.exec(line);
  const parents = item === null ? [] : parentsOf(above, item[1] ?? '', true);
  const parent = parents.at(-1);
  if (item !== null && parent !== undefined && listsOfValues.has(parent)) {
    const typed = item[2] ?? '';
    return { path: parents.slice(0, -1), place: 'value', key: parent, typed, from: offset - typed.length };
  }
  const key = keyStart.exec(line);
  if (key === null) return undefined;
  const [, lead = '', typed = ''] = key;
  return { path: parentsOf(above, lead), place: 'key', typed, from: offset - typed.length };
}

const listsOfValues: ReadonlySet<string> = new Set(['depends']);

const structure = /^(\s*)((?:- +)*)(?:["']?([\w.-]+)["']?:(?:\s+(.*))?)?$/;

/**
 * Returns the keys that contain a line with this beginning. A list belongs to the key above that is not deeper than
 * its dashes.
 */
function parentsOf(above: readonly string[], lead: string, isItem = false): readonly string[] {
  const dash = lead.indexOf('-');
  let limit = isItem ? lead.length + 1 : dash >= 0 ? dash + 1 : lead.length;
  const path: string[] = [];
  for (let index = above.length - 1; index >= 0 && limit > 0; index--) {
    const [, indent = '', dashes = '', key] = structure.exec(above[index] ?? '') ?? [];
    if (key === undefined) continue;
    const column = indent.length + dashes.length;
    if (column < limit) {
      path.unshift(key);
      limit = dashes === '' ? column : indent.length + 1;
    } else if (dashes !== '' && indent.length < limit) limit = Math.min(limit, indent.length + 1);
  }
  return path;
}
