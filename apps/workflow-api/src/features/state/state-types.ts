import type { StateStore } from '@weir/workflow-engine';

export type StateChange = Parameters<StateStore['delete']>[0];
export type StateKeyspace = StateChange['keyspace'];
export type StateValue = NonNullable<Awaited<ReturnType<StateStore['get']>>>;
export type StateEntry = Omit<StateValue, 'value'>;
export type StateSet = Awaited<ReturnType<StateStore['set']>>;
export type StateDeleted = Awaited<ReturnType<StateStore['delete']>>;
