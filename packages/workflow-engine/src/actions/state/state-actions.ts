import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '@weir/workflow-spec';
import { outputBytes } from '../../outputs/step-outputs';
import { valueProblem } from '../../outputs/output-value';
import type { StepOutcome } from '../../scope/step-ports';
import type { ActionDependencies, ActionExecutor } from '../action-executor';
import { actionFailed } from '../action-errors';
import { defineExecutor, type ActionWork } from '../define-executor';
import { checkedName, chooseKeyspace } from './state-keyspace';
import {
  maxStateEntries,
  type StateOwner,
  type StateKeyspace,
  type StateRefusal,
  type StateStore,
} from './state-store';

type Dependencies = Pick<ActionDependencies, 'state'>;

interface StateWork extends ActionWork {
  readonly store: StateStore;
  readonly owner: StateOwner;
  readonly keyspace: StateKeyspace;
}

const maxValueBytes = 1_048_576;
const defaultLimit = 1_000;
const valuesAtOnce = 16;
const maxAttempts = 5;

/** Prints the value: a text as it is, anything else as JSON. */
export function createStateGet(dependencies: Dependencies): ActionExecutor {
  return defineStateExecutor(dependencies, async ({ store, keyspace, settings, call, log }) => {
    const entry = await store.get(keyspace, checkKey(settings.required('key')));
    if (entry === undefined && settings.flag('required')) throw actionFailed('There is no entry of this key.');
    const value = entry?.value ?? settings.value('default') ?? null;
    const isThere = entry !== undefined || settings.has('default');
    if (isThere) log.line(typeof value === 'string' ? value : JSON.stringify(value));
    return published(call.maxOutputBytes, { value, version: entry?.version ?? 0, found: entry !== undefined });
  });
}

export function createStateSet(dependencies: Dependencies): ActionExecutor {
  return defineStateExecutor(dependencies, async (work) => {
    const { settings, call, log } = work;
    const expected = settings.flag('create_only') ? 0 : settings.number('expected_version');
    const result = await setValue(work, storable(work), expected);
    if (result.kind !== 'stored') throw refusal(result);
    log.line(`version ${result.version}`);
    return published(call.maxOutputBytes, { version: result.version, created: result.isNew });
  });
}

export function createStateDelete(dependencies: Dependencies): ActionExecutor {
  return defineStateExecutor(dependencies, async ({ store, keyspace, owner, settings, call, log }) => {
    const key = checkKey(settings.required('key'));
    const expectedVersion = settings.number('expected_version');
    const result = await store.delete({ keyspace, key, expectedVersion, by: owner });
    if (result.kind === 'conflict' || result.kind === 'lost') throw refusal(result);
    const isDeleted = result.kind === 'deleted';
    if (!isDeleted && settings.flag('required')) throw actionFailed('There is no entry of this key.');
    log.line(isDeleted ? 'deleted' : 'there was no entry');
    return published(call.maxOutputBytes, { deleted: isDeleted });
  });
}

/** Prints the entries as one JSON list, in the order of their keys. */
export function createStateList(dependencies: Dependencies): ActionExecutor {
  return defineStateExecutor(dependencies, async (work) => {
    const { store, keyspace, settings, call, log } = work;
    const prefix = settings.text('prefix') ?? '';
    const limit = settings.number('limit') ?? defaultLimit;
    const found = await store.list(keyspace, { prefix, limit });
    const values = settings.flag('include_values') ? await collectValues(work, found) : undefined;
    const entries = found.flatMap(({ key, version, updatedAt }) => {
      const entry = { key, version, updated_at: updatedAt.toISOString() };
      if (values === undefined) return [entry];
      const value = values.get(key);
      // It was deleted while the list was made.
      return value === undefined ? [] : [{ ...entry, value }];
    });
    const outcome = published(call.maxOutputBytes, { entries, count: entries.length });
    log.line(JSON.stringify(entries));
    return outcome;
  });
}

/** Prints whether the value differs from the entry; with `update` the entry has the value afterwards. */
export function createStateDiff(dependencies: Dependencies): ActionExecutor {
  return defineStateExecutor(dependencies, async (work) => {
    const { store, keyspace, settings, call, log, signal } = work;
    const key = checkKey(settings.required('key'));
    const value = storable(work);
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      const entry = await store.get(keyspace, key);
      const isChanged = entry === undefined || !isDeepStrictEqual(entry.value, value);
      let version = entry?.version ?? 0;
      if (isChanged && settings.flag('update')) {
        const result = await setValue(work, value, version);
        // Somebody else changed it since it was read: it is compared anew.
        if (result.kind === 'conflict' && attempt < maxAttempts) continue;
        if (result.kind !== 'stored') throw refusal(result);
        version = result.version;
      }
      log.line(isChanged ? 'changed' : 'unchanged');
      return published(call.maxOutputBytes, { changed: isChanged, version, previous: entry?.value ?? null });
    }
  });
}

function defineStateExecutor(
  { state }: Dependencies,
  work: (work: StateWork) => Promise<StepOutcome | undefined>,
): ActionExecutor {
  return defineExecutor((given) => {
    const { call, settings } = given;
    if (state === undefined || call.owner === undefined) {
      throw actionFailed(`${call.action} is not at hand in this process.`);
    }
    return work({ ...given, store: state, owner: call.owner, keyspace: chooseKeyspace(settings, call.owner) });
  });
}

function checkKey(key: string): string {
  return checkedName('key', key);
}

/** The value as it is stored: with secrets hidden, as in every other thing that is kept of a run. */
function storable({ settings, call }: StateWork): JsonValue {
  const given = settings.value('value') ?? null;
  const problem = valueProblem(given);
  if (problem !== undefined) throw actionFailed(`value ${problem}.`);
  const text = JSON.stringify(call.masker === undefined ? given : call.masker.json(given));
  if (Buffer.byteLength(text) > maxValueBytes) throw actionFailed(`value is larger than ${maxValueBytes} bytes.`);
  return JSON.parse(text) as JsonValue;
}

function setValue({ store, keyspace, owner, settings }: StateWork, value: JsonValue, expectedVersion?: number) {
  return store.set({ keyspace, key: checkKey(settings.required('key')), value, expectedVersion, by: owner });
}

function refusal(result: StateRefusal | { readonly kind: 'full' }) {
  switch (result.kind) {
    case 'full':
      return actionFailed(`There are ${maxStateEntries} entries already.`);
    case 'lost':
      return actionFailed('The run belongs to another runner now.');
    case 'conflict':
      return actionFailed(
        result.version === 0 ? 'There is no entry of this key.' : `The entry has version ${result.version}.`,
      );
  }
}

/** A few at a time: each may be a megabyte, and together they must not be more than an output. */
async function collectValues(
  { store, keyspace, call, signal }: StateWork,
  entries: readonly { readonly key: string }[],
): Promise<ReadonlyMap<string, JsonValue>> {
  const values = new Map<string, JsonValue>();
  let bytes = 0;
  for (let at = 0; at < entries.length; at += valuesAtOnce) {
    signal.throwIfAborted();
    const keys = entries.slice(at, at + valuesAtOnce).map(({ key }) => key);
    for (const { key, value } of await store.readValues(keyspace, keys)) {
      bytes += Buffer.byteLength(JSON.stringify(value));
      if (bytes > call.maxOutputBytes) throw tooLarge(call.maxOutputBytes);
      values.set(key, value);
    }
  }
  return values;
}

function published(maxBytes: number, values: Readonly<Record<string, JsonValue>>): StepOutcome {
  const outputs = { fields: [], declared: Object.entries(values).map(([name, value]) => ({ name, value })) };
  if (outputBytes(outputs) > maxBytes) throw tooLarge(maxBytes);
  return { status: 'succeeded', outputs };
}

function tooLarge(bytes: number) {
  return actionFailed(`The outputs of the step are larger than ${bytes} bytes.`);
}
