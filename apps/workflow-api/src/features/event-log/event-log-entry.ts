import type { JsonValue } from '@weir/workflow-spec';

export interface EventLogEntry {
  readonly id: string;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
  readonly kind: string;
  readonly type: string;
  readonly sourceInstance: string;
  /** Empty when it is about no run, and so is the id. */
  readonly dagName: string;
  readonly dagRunId: string;
  /** 0 when it is about no run. */
  readonly attempt: number;
  /** Name of the person who decided something. */
  readonly userId: string | null;
  /** Of the run. */
  readonly status: string | null;
  readonly data: Readonly<Record<string, JsonValue>>;
}

/** What a list of entries is limited to; missing fields limit nothing. */
export interface EventLogFilter extends Partial<
  Pick<EventLogEntry, 'kind' | 'type' | 'dagName' | 'dagRunId' | 'attempt'>
> {
  readonly userId?: string;
  /** At this time or later. */
  readonly from?: Date;
  /** Before this time. */
  readonly to?: Date;
}

export type EventLogPosition = Pick<EventLogEntry, 'occurredAt' | 'id'>;

export interface EventLogPage {
  /** Only entries after this one. */
  readonly after?: EventLogPosition | undefined;
  /** How many entries are left out first. Default: none. */
  readonly offset?: number | undefined;
  readonly limit: number;
}

export interface EventLogBounds {
  /** Most entries that stay, the newest. */
  readonly maxEntries: number;
  /** What happened before this time is deleted. */
  readonly before: Date;
}

export interface EventLogRepository {
  /** Stores all of them or none. */
  insert(entries: readonly EventLogEntry[]): Promise<void>;
  /** Newest first. */
  list(filter: EventLogFilter, page: EventLogPage): Promise<readonly EventLogEntry[]>;
  count(filter: EventLogFilter): Promise<number>;
  prune(bounds: EventLogBounds): Promise<void>;
}
