import type { JsonValue } from '@weir/workflow-spec';

/** The run that a step belongs to, and whose entries it may mean. */
export interface StateOwner {
  /** Key of the run. */
  readonly runId: string;
  /** Of its present owner: what an earlier one still wants to change is refused by it. */
  readonly fencingToken: number;
  readonly dagName: string;
  /** Of the run that this one belongs to; the same for one that no step started. */
  readonly rootDagName: string;
  /** Entries that belong to no DAG are shared inside of a workspace only. */
  readonly workspace?: string | undefined;
}

/** One set of entries. */
export interface StateKeyspace {
  readonly scope: string;
  readonly namespace: string;
}

export interface StateEntry {
  readonly key: string;
  /** Counts from 1; raised by every change. */
  readonly version: number;
  readonly updatedAt: Date;
}

export interface StateValue extends StateEntry {
  readonly value: JsonValue;
}

export interface StateChange {
  readonly keyspace: StateKeyspace;
  readonly key: string;
  /** Only when the entry has this version; 0 stands for none. */
  readonly expectedVersion?: number | undefined;
  readonly by: Pick<StateOwner, 'runId' | 'fencingToken'>;
}

/** `version` is what the entry has instead, 0 for none. `lost`: the run has another owner by now. */
export type StateRefusal = { readonly kind: 'conflict'; readonly version: number } | { readonly kind: 'lost' };

export type StateSet =
  | { readonly kind: 'stored'; readonly version: number; readonly isNew: boolean }
  | { readonly kind: 'full' }
  | StateRefusal;

export type StateDeleted = { readonly kind: 'deleted' } | { readonly kind: 'missing' } | StateRefusal;

/** Keeps entries over runs. Every change is one transaction: the check of the version and the change are one. */
export interface StateStore {
  get(keyspace: StateKeyspace, key: string): Promise<StateValue | undefined>;
  /** `full`: the keyspace holds {@link maxStateEntries} entries already. */
  set(change: StateChange & { readonly value: JsonValue }): Promise<StateSet>;
  delete(change: StateChange): Promise<StateDeleted>;
  /** Those whose keys begin so, in the order of their keys by code units. */
  list(
    keyspace: StateKeyspace,
    options: { readonly prefix: string; readonly limit: number },
  ): Promise<readonly StateEntry[]>;
  /** The entries of these keys that are there, in any order. */
  readValues(keyspace: StateKeyspace, keys: readonly string[]): Promise<readonly StateValue[]>;
}

/** Of one keyspace. */
export const maxStateEntries = 10_000;
