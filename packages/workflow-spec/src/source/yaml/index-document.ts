import { isAlias, isMap, isScalar, isSeq, type Alias, type Document, type Node, type Pair, type YAMLMap } from 'yaml';
import type { Step } from '../../model/step';
import type { FindingCode } from '../findings/catalogue/finding-catalogue';
import type { FindingReport } from '../findings/report/finding-report';
import type { SourceLocation } from '../findings/source-location';
import { limits } from '../../model/limits';
import { quote } from '../text/quote';
import { isMergePair, mergedMaps } from './merge-key';
import { childPath, nodeRange } from './node-location';

/** The facts about a document that must be known before its values are read. */
export interface DocumentIndex {
  readonly aliases: ReadonlyMap<Alias, Node>;
  /** Unreadable entries: duplicates, merge keys without a map, and keys that are not strings. */
  readonly unreadablePairs: ReadonlySet<Pair>;
  /** Unreadable values: with an unknown tag or forbidden character, or an unintended map. */
  readonly unreadableNodes: ReadonlySet<Node>;
  /** Locations of the parts of synthetic lists and maps; see `synthetic-value.ts`. */
  readonly partLocations: Map<Node, readonly PartLocation[]>;
  /** The step read from each node; filled while reading. */
  readonly steps: Map<Node, Step>;
}

/** An entry has the locations of its key and value; an item has the same location twice. */
export interface PartLocation {
  readonly key: SourceLocation;
  readonly value: SourceLocation;
}

interface Walk {
  readonly report: FindingReport;
  readonly accidentalMaps: ReadonlySet<number>;
  readonly aliases: Map<Alias, Node>;
  readonly unreadablePairs: Set<Pair>;
  readonly unreadableNodes: Set<Node>;
  readonly partLocations: Map<Node, readonly PartLocation[]>;
  readonly steps: Map<Node, Step>;
  readonly anchors: Map<string, Node>;
  /** Number of values of a node with its aliases expanded; missing while the node is being visited. */
  readonly sizes: Map<Node, number>;
  nodes: number;
  aliasNodes: number;
}

type Problem = readonly [code: FindingCode, message: string];

/** Reports invalid keys, aliases and tags. Returns undefined when the document exceeds the limit of values. */
export function indexDocument(
  document: Document.Parsed,
  accidentalMaps: ReadonlySet<number>,
  report: FindingReport,
): DocumentIndex | undefined {
  const walk: Walk = {
    report,
    accidentalMaps,
    aliases: new Map(),
    unreadablePairs: new Set(),
    unreadableNodes: new Set(),
    partLocations: new Map(),
    steps: new Map(),
    anchors: new Map(),
    sizes: new Map(),
    nodes: 0,
    aliasNodes: 0,
  };
  visit(walk, document.contents, '');
  if (walk.nodes <= limits.nodes) return walk;
  const location = { range: [document.range[0], document.range[1]], path: '' } as const;
  report.add('text_too_complex', location, `a document may contain ${limits.nodes} values at most`);
  return undefined;
}

// A long string counts as several values, because expanding aliases copies it.
const charactersPerValue = 256;

/** Returns the number of values of the node. Recursion is safe: the tokenizer limits the depth. */
function visit(walk: Walk, node: unknown, path: string): number {
  walk.nodes += 1;
  if (walk.nodes > limits.nodes) return 1;
  if (isAlias(node)) return visitAlias(walk, node, path);
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return 1;
  if (node.anchor) walk.anchors.set(node.anchor, node);
  const problem = tagProblem(node.tag) ?? (isScalar(node) ? characterProblem(node.value) : undefined);
  if (problem) {
    walk.unreadableNodes.add(node);
    walk.report.add(problem[0], toLocation(node, path), problem[1]);
  }
  let size = isScalar(node) ? 1 + Math.floor((node.source?.length ?? 0) / charactersPerValue) : 1;
  if (isSeq(node)) node.items.forEach((item, index) => (size += visit(walk, item, childPath(path, String(index)))));
  if (isMap(node)) size += visitMap(walk, node, path);
  walk.sizes.set(node, size);
  return size;
}

function visitMap(walk: Walk, map: YAMLMap, path: string): number {
  if (walk.accidentalMaps.size > 0 && walk.accidentalMaps.has(nodeRange(map)[0])) walk.unreadableNodes.add(map);
  const seen = new Set<string>();
  let size = 0;
  for (const pair of map.items) {
    const key = isScalar(pair.key) ? (pair.key.source ?? '') : undefined;
    const problem = keyProblem(key, seen);
    const valuePath = problem || key === undefined ? path : childPath(path, key);
    if (problem) {
      walk.unreadablePairs.add(pair);
      const keyLocation = { range: nodeRange(pair.key), path };
      walk.report.add(
        problem[0],
        keyLocation.range[1] > keyLocation.range[0] ? keyLocation : toLocation(map, path),
        problem[1],
      );
    } else if (key !== undefined) seen.add(key);
    size += visit(walk, pair.key, path) + visit(walk, pair.value, valuePath);
    if (isMergePair(pair) && !problem && mergedMaps(pair, walk.aliases) === undefined) {
      walk.unreadablePairs.add(pair);
      const message = 'a merge key ("<<") takes a map, or a list of maps';
      walk.report.add('merge_key', { range: nodeRange(pair.key), path }, message);
    }
  }
  return size;
}

function visitAlias(walk: Walk, alias: Alias, path: string): number {
  const target = walk.anchors.get(alias.source);
  const size = target && walk.sizes.get(target);
  const problem = aliasProblem(quote(alias.source), target, size, walk);
  if (problem || !target || size === undefined) {
    if (problem) walk.report.add(problem[0], toLocation(alias, path), problem[1]);
    return 1;
  }
  walk.aliasNodes += size;
  walk.aliases.set(alias, target);
  return size;
}

function aliasProblem(
  name: string,
  target: Node | undefined,
  size: number | undefined,
  walk: Walk,
): Problem | undefined {
  if (!target) return ['unknown_alias', `there is no anchor ${name} before this alias`];
  if (size === undefined) return ['recursive_alias', `the alias ${name} is inside its own value`];
  if (walk.aliasNodes + size <= limits.aliasNodes) return undefined;
  return ['alias_expansion', `aliases may repeat ${limits.aliasNodes} values at most; ${name} exceeds that`];
}

const coreTags = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((tag) => `tag:yaml.org,2002:${tag}`),
);
// Escapes such as `\0` can produce these characters although no file may contain them.
const unusable = /\0|\p{Surrogate}/u;

function tagProblem(tag: string | undefined): Problem | undefined {
  if (tag === undefined || tag === '!' || coreTags.has(tag)) return undefined;
  return ['unsupported_tag', `the YAML tag ${quote(tag)} is not supported`];
}

function characterProblem(value: unknown): Problem | undefined {
  if (typeof value !== 'string' || !unusable.test(value)) return undefined;
  return ['invalid_character', 'the text contains a NUL character or half of a surrogate pair'];
}

function keyProblem(key: string | undefined, seen: ReadonlySet<string>): Problem | undefined {
  if (key === undefined || key.length > limits.keyLength) {
    return ['invalid_key', `a key must be a string of at most ${limits.keyLength} characters`];
  }
  if (seen.has(key)) return ['duplicate_key', `the key ${quote(key)} is given twice`];
  return undefined;
}

function toLocation(node: Node, path: string): SourceLocation {
  return { range: nodeRange(node), path };
}
