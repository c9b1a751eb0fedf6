import { isMap } from 'yaml';
import { parseDag } from '../document/parse-dag';
import type { JsonValue } from '../../model/json';
import { printSteps } from '../print/print-steps';
import { deprecatedFormKeys } from '../../keys/step-keys/form-keys';
import { shellKeys } from '../../steps/form/shell-settings';
import type { YamlValue } from '../../source/yaml/yaml-value';
import { findComments, lostComments } from './find-comments';
import { printEntry, printFlowEntry } from './print-entry';
import { innerPairs, lineStart, sourcePairs, type SourcePair } from './source-pairs';
import type { TextEdit } from './text-edit';

const workKeys: ReadonlySet<string> = new Set([...deprecatedFormKeys, ...shellKeys, 'run', 'with']);
const settingsKeys: ReadonlySet<string> = new Set(['config', 'with', 'executor', 'exec', 'llm']);

/**
 * Returns the edit that replaces a deprecated form of a step's work by the current one, where one key cannot simply
 * be renamed. Values keep their text and comments. Returns `undefined` for a step that cannot be rewritten.
 */
export function rewriteStep(text: string, step: YamlValue, names: readonly string[]): TextEdit | undefined {
  const map = step.node;
  if (!isMap(map) || !map.range) return undefined;
  const pairs = sourcePairs(text, map);
  const isRouter = pairs?.some(({ key }) => key === 'routes') === true;
  const printed = printedWork(text, step, isRouter ? names : []);
  if (!pairs || !printed) return undefined;
  const isGate = pairs.some(({ key, value }) => key === 'type' && value === 'hitl');
  const isOldOutput = pairs.some(({ key, value }) => key === 'output' && isNamedOutput(value));
  const isRemoved = (key: string): boolean =>
    workKeys.has(toSnakeCase(key)) || (isGate && key === 'approval') || (isOldOutput && key === 'output');
  const removed = pairs.filter(({ key }) => isRemoved(key));
  const { approval, output, ...work } = printed;
  const entries = { ...work, ...(isGate ? { approval } : {}), ...(isOldOutput ? { output } : {}) };
  const sources = createSources(text, removed);
  const range = [map.range[0], map.range[1]] as const;
  if (map.flow === true) {
    // One line has no room for comments.
    if (findComments(text.slice(...range)).length > 0) return undefined;
    const kept = pairs.filter((pair) => !removed.includes(pair));
    const printedEntries = Object.entries(entries).flatMap(([key, value]) =>
      value === undefined ? [] : [printFlowEntry([key, value], sources.find([key, value]))],
    );
    return { range, text: `{ ${[...kept.map(({ key, tail }) => key + tail), ...printedEntries].join(', ')} }` };
  }
  const whole = [range[0], mapEnd(text, range[1])] as const;
  const block = { pairs, removed, work: printWork(entries, pairs[0]?.indent ?? 0, sources) };
  const comments = lostComments(text.slice(...whole), rewriteBlock({ ...block, comments: [] }));
  return { range: whole, text: rewriteBlock({ ...block, comments }) };
}

/** Returns the work of the step in the current form, read and printed apart from the whole file except the names of steps. */
function printedWork(
  text: string,
  { node }: YamlValue,
  names: readonly string[],
): Readonly<Record<string, JsonValue | undefined>> | undefined {
  if (!isMap(node) || !node.range) return undefined;
  const column = node.range[0] - lineStart(text, node.range[0]);
  const before = node.flow === true ? '- ' : `${' '.repeat(Math.max(0, column - 2))}- `;
  const start = before.replace(/- $/, '');
  const others = names.map((name) => `${start}- {name: ${JSON.stringify(name)}, run: "true"}\n`);
  const spec = `steps:\n${before}${text.slice(node.range[0], node.range[1])}\n${others.join('')}`;
  const [step] = parseDag(spec).dag.steps;
  if (!step) return undefined;
  const [printed] = printSteps({ steps: [step], type: 'graph' }) as readonly Readonly<Record<string, JsonValue>>[];
  const { run, script, action, with: settings, approval, output } = printed ?? {};
  if (run === undefined && action === undefined) return undefined;
  return { run, script, action, with: settings, approval, output };
}

interface Sources {
  /** The text of an equal value, which is used once; one with the same key is preferred. */
  find(entry: readonly [string, JsonValue]): SourcePair | undefined;
}

function createSources(text: string, removed: readonly SourcePair[]): Sources {
  const nested = removed.filter(({ key }) => settingsKeys.has(key)).flatMap((pair) => innerPairs(text, pair));
  const all = [
    ...nested.flatMap((pair) => [pair, ...(pair.key === 'config' ? innerPairs(text, pair) : [])]),
    ...removed,
  ];
  const used = new Set<SourcePair>();
  return {
    find: ([key, value]) => {
      const equal = all.filter((pair) => !used.has(pair) && isEqual(pair.value, value));
      const found = equal.find((pair) => toSnakeCase(pair.key) === key) ?? equal[0];
      if (found) used.add(found);
      return found;
    },
  };
}

type WorkEntries = Readonly<Record<string, JsonValue | undefined>>;

function printWork(entries: WorkEntries, indent: number, sources: Sources): readonly string[] {
  return Object.entries(entries).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const source = sources.find([key, value]);
    if (source || !isRecord(value)) return [printEntry([key, value], indent, source)];
    const inner = Object.entries(value).map((entry) => printEntry(entry, indent + 2, sources.find(entry)));
    return [`${' '.repeat(indent)}${key}:\n`, ...inner];
  });
}

interface Block {
  readonly pairs: readonly SourcePair[];
  readonly removed: readonly SourcePair[];
  readonly work: readonly string[];
  /** The comments of entries that no longer exist. */
  readonly comments: readonly string[];
}

/** Leaves out the indentation of the first line, which is outside of the map. */
function rewriteBlock({ pairs, removed, work, comments }: Block): string {
  const start = ' '.repeat(pairs[0]?.indent ?? 0);
  const chunks = pairs.flatMap((pair) => {
    if (pair === removed[0]) return [...comments.map((comment) => `${start}${comment}\n`), ...work];
    return removed.includes(pair) ? [] : [pair.chunk];
  });
  return chunks.join('').trim();
}

/** Returns the end of the last line of a block map. */
function mapEnd(text: string, end: number): number {
  const next = text.indexOf('\n', text[end - 1] === '\n' ? end - 1 : end);
  return next === -1 ? text.length : next;
}

function isNamedOutput(value: JsonValue): boolean {
  return isRecord(value) && typeof value.name === 'string';
}

function isRecord(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEqual(left: JsonValue, right: JsonValue): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function toSnakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
