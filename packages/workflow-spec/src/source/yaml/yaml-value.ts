import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { FindingCode } from '../findings/catalogue/finding-catalogue';
import type { FindingReport } from '../findings/report/finding-report';
import type { SuggestedFix, Offsets, SourceLocation } from '../findings/source-location';
import type { PatternCheck } from '../text/pattern-check';
import type { Suggest } from '../text/suggest';
import type { DocumentIndex } from './index-document';
import { isMergePair, mergedMaps } from './merge-key';
import { childPath, nodeRange } from './node-location';

/** The context that all values of a document share. */
export interface ReadContext {
  /** The whole text of the file. */
  readonly text: string;
  readonly report: FindingReport;
  readonly suggest: Suggest;
  readonly checkPattern: PatternCheck;
  readonly index: DocumentIndex;
  /**
   * Set after references were replaced: strings contain none, and messages must not quote values, which may be
   * secrets.
   */
  readonly isResolved?: boolean;
}

/** A value of the document with its location. */
export interface YamlValue extends SourceLocation {
  readonly context: ReadContext;
  /** Null for an empty value; undefined for an unreadable one. */
  readonly node: Node | null | undefined;
}

export interface YamlEntry {
  readonly key: string;
  /** The location of the key. */
  readonly location: SourceLocation;
  readonly value: YamlValue;
}

/** `broken`: unreadable and already reported; causes no further findings. */
export type ValueKind = 'null' | 'text' | 'number' | 'boolean' | 'list' | 'map' | 'broken';

export function rootValue(node: unknown, context: ReadContext): YamlValue {
  return toValue(node, { range: nodeRange(node), path: '' }, context);
}

export function report(value: YamlValue, code: FindingCode, message: string, fix?: SuggestedFix): void {
  value.context.report.add(code, value, message, fix);
}

export function getKind({ node, context }: YamlValue): ValueKind {
  if (node === null) return 'null';
  if (!node || context.index.unreadableNodes.has(node)) return 'broken';
  if (isSeq(node)) return 'list';
  if (isMap(node)) return 'map';
  if (!isScalar(node)) return 'broken';
  if (node.value === null) return 'null';
  if (typeof node.value === 'number') return 'number';
  return typeof node.value === 'boolean' ? 'boolean' : 'text';
}

/** Returns a scalar as written, so that `1.10` is not 1.1; undefined for a list, a map or null. */
export function getText(value: YamlValue): string | undefined {
  const kind = getKind(value);
  if (!isScalar(value.node) || kind === 'null' || kind === 'broken') return undefined;
  return kind === 'text' ? String(value.node.value) : (value.node.source ?? String(value.node.value));
}

export function getNumber({ node }: YamlValue): number | undefined {
  return isScalar(node) && typeof node.value === 'number' ? node.value : undefined;
}

export function getBoolean({ node }: YamlValue): boolean | undefined {
  return isScalar(node) && typeof node.value === 'boolean' ? node.value : undefined;
}

/** Returns the number of items or entries as written, including unreadable ones; 0 for a scalar. */
export function countItems({ node }: YamlValue): number {
  return isSeq(node) || isMap(node) ? node.items.length : 0;
}

/** Returns an empty list for a value that is not a list. */
export function getItems(value: YamlValue): readonly YamlValue[] {
  const { node, path, context } = value;
  if (!isSeq(node)) return [];
  const createdParts = context.index.partLocations.get(node);
  let [end] = nodeRange(node);
  return node.items.map((item, index) => {
    const range = nodeRange(item);
    const own = range[1] > range[0] || createdParts ? range : dashAt(context.text, end);
    end = own[1];
    const written = { range: nonEmpty(own, value), path: childPath(path, String(index)) };
    return toValue(item, createdParts?.[index]?.value ?? written, context);
  });
}

const nextDash = /\n[ \t]*-(?=\s|$)/g;

/** An empty item has no range, so its dash is used. */
function dashAt(text: string, from: number): Offsets {
  if (text[from] === '-') return [from, from + 1];
  nextDash.lastIndex = Math.max(from - 1, 0);
  const found = nextDash.exec(text);
  return found ? [nextDash.lastIndex - 1, nextDash.lastIndex] : [0, 0];
}

/** Returns the readable entries in order; empty for a value that is not a map. */
export function getEntries(value: YamlValue): readonly YamlEntry[] {
  const { node, path, context } = value;
  if (!isMap(node)) return [];
  const entries: YamlEntry[] = [];
  const createdParts = context.index.partLocations.get(node);
  for (const [index, pair] of node.items.entries()) {
    if (!isScalar(pair.key) || context.index.unreadablePairs.has(pair)) continue;
    if (isMergePair(pair)) {
      entries.push(...mergedEntries(value, pair, node.items));
      continue;
    }
    const key = pair.key.source ?? '';
    const created = createdParts?.[index];
    const location: SourceLocation = created?.key ?? {
      range: nonEmpty(nodeRange(pair.key), value),
      path: childPath(path, key),
    };
    const written = { range: nonEmpty(nodeRange(pair.value), location), path: location.path };
    entries.push({ key, location, value: toValue(pair.value, created?.value ?? written, context) });
  }
  return entries;
}

/** Returns the entries of a merge key that the map does not have itself, with their own locations. */
function mergedEntries(value: YamlValue, merge: Pair, own: readonly Pair[]): readonly YamlEntry[] {
  const seen = new Set(own.filter((pair) => pair !== merge).map(({ key }) => (isScalar(key) ? key.source : undefined)));
  const maps = mergedMaps(merge, value.context.index.aliases) ?? [];
  return maps.flatMap((node) => {
    const entries = getEntries({ ...value, node }).filter(({ key }) => !seen.has(key));
    for (const { key } of entries) seen.add(key);
    return entries;
  });
}

/** Whether a map has unreadable parts, so that missing keys are not reported. */
export function isPartlyRead(value: YamlValue): boolean {
  const { node, context } = value;
  if (!isMap(node)) return false;
  return (
    node.items.some((pair) => context.index.unreadablePairs.has(pair) && isMergePair(pair)) ||
    getEntries(value).some((entry) => getKind(entry.value) === 'broken')
  );
}

// A missing value has no range, so the location of its key is used.
function nonEmpty(range: SourceLocation['range'], fallback: SourceLocation): SourceLocation['range'] {
  return range[1] > range[0] ? range : fallback.range;
}

function toValue(node: unknown, location: SourceLocation, context: ReadContext): YamlValue {
  const { range, path } = location;
  if (node === null || isScalar(node) || isMap(node) || isSeq(node)) return { range, path, context, node };
  return { range, path, context, node: isAlias(node) ? context.index.aliases.get(node) : undefined };
}
