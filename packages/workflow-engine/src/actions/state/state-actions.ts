import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import { valueProblem } from '../../values/outputs/output-value';
import type { ActionContext, ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { outputsTooLarge, publishValues } from '../call/publish-values';
import { checkName, chooseKeyspace } from './state-keyspace';
import {
  maxStateEntries,
  type StateKeyspace,
  type StateOwner,
  type StateRefusal,
  type StateStore,
} from '../call/state-store';

interface OpenState {
  readonly store: StateStore;
  readonly owner: StateOwner;
  readonly keyspace: StateKeyspace;
}

type StateActionName = Extract<ExecutableActionName, `state.${string}`>;
type WritingWork = ActionWork<'state.set' | 'state.diff'>;

const maxValueBytes = 1_048_576;
const defaultLimit = 1_000;
const valuesAtOnce = 16;
const maxAttempts = 5;

/** Prints the value: a string unchanged, anything else as JSON. */
export const stateGet: ActionExecutor<'state.get'> = async (work) => {
  const { settings, call, log } = work;
  const { store, keyspace } = openState(work);
  const entry = await store.get(keyspace, checkKey(settings.key));
  if (entry === undefined && settings.required === true) throw actionFailed('There is no entry with this key.');
  const value = entry?.value ?? settings.default ?? null;
  const hasValue = entry !== undefined || settings.default !== undefined;
  if (hasValue) log.line(typeof value === 'string' ? value : JSON.stringify(value));
  return publishValues({ value, version: entry?.version ?? 0, found: entry !== undefined }, call.maxOutputBytes);
};

export const stateSet: ActionExecutor<'state.set'> = async (work) => {
  const { settings, call, log } = work;
  const expected = settings.create_only === true ? 0 : settings.expected_version;
  const opened = { ...work, ...openState(work) };
  const result = await setValue(opened, toStoredValue(work), expected);
  if (result.kind !== 'stored') throw refusal(result);
  log.line(`version ${result.version}`);
  return publishValues({ version: result.version, created: result.isNew }, call.maxOutputBytes);
};

export const stateDelete: ActionExecutor<'state.delete'> = async (work) => {
  const { settings, call, log } = work;
  const { store, keyspace, owner } = openState(work);
  const key = checkKey(settings.key);
  const result = await store.delete({ keyspace, key, expectedVersion: settings.expected_version, by: owner });
  if (result.kind === 'conflict' || result.kind === 'lost') throw refusal(result);
  const isDeleted = result.kind === 'deleted';
  if (!isDeleted && settings.required === true) throw actionFailed('There is no entry with this key.');
  log.line(isDeleted ? 'deleted' : 'there was no entry');
  return publishValues({ deleted: isDeleted }, call.maxOutputBytes);
};

/** Prints the entries as one JSON list, in the order of their keys. */
export const stateList: ActionExecutor<'state.list'> = async (work) => {
  const { settings, call, log } = work;
  const opened = { ...work, ...openState(work) };
  const { prefix = '', limit = defaultLimit } = settings;
  const found = await opened.store.list(opened.keyspace, { prefix, limit });
  const values = settings.include_values === true ? await collectValues(opened, found) : undefined;
  const entries = found.flatMap(({ key, version, updatedAt }) => {
    const entry = { key, version, updated_at: updatedAt.toISOString() };
    if (values === undefined) return [entry];
    const value = values.get(key);
    // Deleted since the list was read.
    return value === undefined ? [] : [{ ...entry, value }];
  });
  const outcome = publishValues({ entries, count: entries.length }, call.maxOutputBytes);
  log.line(JSON.stringify(entries));
  return outcome;
};

/** Prints whether the value differs from the entry; with `update` the entry has the value afterwards. */
export const stateDiff: ActionExecutor<'state.diff'> = async (work) => {
  const { settings, call, log, signal } = work;
  const opened = { ...work, ...openState(work) };
  const key = checkKey(settings.key);
  const value = toStoredValue(work);
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    const entry = await opened.store.get(opened.keyspace, key);
    const isChanged = entry === undefined || !isDeepStrictEqual(entry.value, value);
    let version = entry?.version ?? 0;
    if (isChanged && settings.update === true) {
      const result = await setValue(opened, value, version);
      // It was changed since it was read, so it is compared again.
      if (result.kind === 'conflict' && attempt < maxAttempts) continue;
      if (result.kind !== 'stored') throw refusal(result);
      version = result.version;
    }
    log.line(isChanged ? 'changed' : 'unchanged');
    return publishValues({ changed: isChanged, version, previous: entry?.value ?? null }, call.maxOutputBytes);
  }
};

function openState({ call, services, settings }: ActionWork<StateActionName>): OpenState {
  const { state } = services;
  const { owner } = call;
  if (state === undefined || owner === undefined) {
    throw actionFailed(`${call.action} is not available in this process.`);
  }
  return { store: state, owner, keyspace: chooseKeyspace(settings, owner) };
}

function checkKey(key: string): string {
  return checkName('key', key);
}

/** The value as it is stored: with secrets masked, like everything else that is stored of a run. */
function toStoredValue({ settings, call }: WritingWork): JsonValue {
  const given = settings.value;
  const problem = valueProblem(given);
  if (problem !== undefined) throw actionFailed(`value ${problem}.`);
  const text = JSON.stringify(call.masker === undefined ? given : call.masker.json(given));
  if (Buffer.byteLength(text) > maxValueBytes) throw actionFailed(`value is larger than ${maxValueBytes} bytes.`);
  return JSON.parse(text) as JsonValue;
}

function setValue(
  { store, keyspace, owner, settings }: WritingWork & OpenState,
  value: JsonValue,
  expectedVersion?: number,
) {
  return store.set({ keyspace, key: checkKey(settings.key), value, expectedVersion, by: owner });
}

function refusal(result: StateRefusal | { readonly kind: 'full' }) {
  switch (result.kind) {
    case 'full':
      return actionFailed(`There are ${maxStateEntries} entries already.`);
    case 'lost':
      return actionFailed('The run belongs to another worker now.');
    case 'conflict':
      return actionFailed(
        result.version === 0 ? 'There is no entry with this key.' : `The entry has version ${result.version}.`,
      );
  }
}

/** In small batches: each value may be a megabyte, and together they must fit into an output. */
async function collectValues(
  { store, keyspace, call, signal }: ActionContext & OpenState,
  entries: readonly { readonly key: string }[],
): Promise<ReadonlyMap<string, JsonValue>> {
  const values = new Map<string, JsonValue>();
  let bytes = 0;
  for (let at = 0; at < entries.length; at += valuesAtOnce) {
    signal.throwIfAborted();
    const keys = entries.slice(at, at + valuesAtOnce).map(({ key }) => key);
    for (const { key, value } of await store.readValues(keyspace, keys)) {
      bytes += Buffer.byteLength(JSON.stringify(value));
      if (bytes > call.maxOutputBytes) throw outputsTooLarge(call.maxOutputBytes);
      values.set(key, value);
    }
  }
  return values;
}
