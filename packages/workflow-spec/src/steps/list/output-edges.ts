import { foreachKind } from '../../keys/loops/foreach-kind';
import { keysWithoutReferences, stepKind } from '../../keys/step-keys/step-kind';
import { getEntries, getItems, getKind, getText, type YamlValue } from '../../source/yaml/yaml-value';
import { createReferenceReader } from '../../values/references/reference';
import type { Upstream } from '../scope/upstream';
import type { NamedStep } from './name-steps';

/** A dependency of a step on one whose output it reads. */
export interface OutputEdge {
  readonly name: string;
  readonly location: YamlValue;
}

const start = '${steps.';

/**
 * Returns, for each step, the steps whose outputs it reads as `${steps.ID.outputs.NAME}` without being behind them
 * already. A loop waits for what the steps of its body read from outside.
 */
export function outputEdges(steps: readonly NamedStep[], isUpstream: Upstream): readonly (readonly OutputEdge[])[] {
  const names = new Map(
    steps.flatMap(({ step, name }) => (step.id?.value === undefined ? [] : [[step.id.value, name]])),
  );
  const order = new Map(steps.map(({ name }, index) => [name, index]));
  return steps.map(({ step, name }) => {
    const found = new Map<string, OutputEdge>();
    for (const { id, location } of readOutputs(step.source)) {
      const maker = names.get(id);
      if (maker === undefined || maker === name || found.has(maker) || isUpstream(name, maker)) continue;
      found.set(maker, { name: maker, location });
    }
    // In the order of the steps, however the keys of this one are ordered.
    return [...found.values()].sort((left, right) => (order.get(left.name) ?? 0) - (order.get(right.name) ?? 0));
  });
}

/** Whether a step reads the output of another one. */
export function readsOutputs(step: YamlValue): boolean {
  return !readOutputs(step).next().done;
}

interface ReadOutput {
  readonly id: string;
  readonly location: YamlValue;
}

/** Recursion is safe: the depth of a document is limited when it is parsed. */
function* readOutputs(step: YamlValue): Generator<ReadOutput> {
  if (getKind(step) !== 'map') yield* readTexts(step);
  for (const { key, value } of getEntries(step)) {
    const name = stepKind.spellings.get(key) ?? key;
    if (keysWithoutReferences.has(name)) continue;
    yield* name === 'foreach' ? readLoop(value) : readTexts(value);
  }
}

/** What is read when an iteration has ended, or for each item, are the steps and items of the loop. */
function* readLoop(loop: YamlValue): Generator<ReadOutput> {
  for (const { key, value } of getEntries(loop)) {
    const name = foreachKind.spellings.get(key) ?? key;
    if (name === 'items') yield* readTexts(value);
    if (name !== 'steps') continue;
    const body = listSteps(value);
    const own = new Set(body.flatMap(({ key: given, step }) => [given, readId(step)]));
    for (const { step } of body) for (const read of readOutputs(step)) if (!own.has(read.id)) yield read;
  }
}

function* readTexts(value: YamlValue): Generator<ReadOutput> {
  for (const item of getItems(value)) yield* readTexts(item);
  // What is compared with a value is literal.
  for (const { key, value: part } of getEntries(value)) if (key !== 'expected') yield* readTexts(part);
  const text = getKind(value) === 'text' ? (getText(value) ?? '') : '';
  let at = text.indexOf(start);
  if (at === -1) return;
  const reader = createReferenceReader(text);
  for (; at !== -1; at = text.indexOf(start, at + start.length)) {
    const { head, path: [id, field, name] = [], operator } = reader.at(at) ?? {};
    const isOutput = head === 'steps' && field === 'outputs' && name !== undefined && operator === undefined;
    if (isOutput && id !== undefined) yield { id, location: value };
  }
}

interface BodyStep {
  readonly key?: string;
  readonly step: YamlValue;
}

function listSteps(value: YamlValue): readonly BodyStep[] {
  const items = getItems(value).flatMap((item) => (getKind(item) === 'list' ? listSteps(item) : [{ step: item }]));
  return [...items, ...getEntries(value).map((entry) => ({ key: entry.key, step: entry.value }))];
}

function readId(step: YamlValue): string | undefined {
  const id = getEntries(step).find(({ key }) => (stepKind.spellings.get(key) ?? key) === 'id')?.value;
  return id && getText(id)?.trim();
}
