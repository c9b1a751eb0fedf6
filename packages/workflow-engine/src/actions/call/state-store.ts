import type { JsonValue } from '@weir/workflow-spec';

/** The run of the step, which decides which entries it can reach. */
export interface StateOwner {
  /** Key of the run. */
  readonly runId: string;
  /** Changes with an older token, from an earlier owner of the run, are refused. */
  readonly fencingToken: number;
  readonly dagName: string;
  /** DAG of the root run; its own for a run that no step started. */
  readonly rootDagName: string;
  /** Global and custom entries are shared within a workspace. */
  readonly workspace?: string | undefined;
}

/** A set of entries with unique keys. */
export interface StateKeyspace {
  readonly scope: string;
  readonly namespace: string;
}

export interface StateEntry {
  readonly key: string;
  /** Starts at 1 and grows with every change. */
  readonly version: number;
  readonly updatedAt: Date;
}

export interface StateValue extends StateEntry {
  readonly value: JsonValue;
}

export interface StateChange {
  readonly keyspace: StateKeyspace;
  readonly key: string;
  /** Condition: the entry has this version; 0 when it must not exist. */
  readonly expectedVersion?: number | undefined;
  readonly by: Pick<StateOwner, 'runId' | 'fencingToken'>;
}

/** `version` is the actual version, 0 for a missing entry. `lost`: the run has another owner now. */
export type StateRefusal = { readonly kind: 'conflict'; readonly version: number } | { readonly kind: 'lost' };

export type StateSet =
  | { readonly kind: 'stored'; readonly version: number; readonly isNew: boolean }
  | { readonly kind: 'full' }
  | StateRefusal;

export type StateDeleted = { readonly kind: 'deleted' } | { readonly kind: 'missing' } | StateRefusal;

/** Stores entries across runs. The version check and the change happen in one transaction. */
export interface StateStore {
  get(keyspace: StateKeyspace, key: string): Promise<StateValue | undefined>;
  /** `full`: the keyspace already holds {@link maxStateEntries} entries. */
  set(change: StateChange & { readonly value: JsonValue }): Promise<StateSet>;
  delete(change: StateChange): Promise<StateDeleted>;
  /** Entries whose keys start with the prefix, ordered by UTF-16 code units. */
  list(
    keyspace: StateKeyspace,
    options: { readonly prefix: string; readonly limit: number },
  ): Promise<readonly StateEntry[]>;
  /** The existing entries among these keys, in any order. */
  readValues(keyspace: StateKeyspace, keys: readonly string[]): Promise<readonly StateValue[]>;
}

/** Per keyspace. */
export const maxStateEntries = 10_000;
