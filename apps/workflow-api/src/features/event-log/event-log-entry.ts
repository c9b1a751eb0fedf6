import type { VisibleWorkspaces } from '../../access/access-rules';
import type { JsonValue } from '@weir/workflow-spec';

export interface EventLogEntry {
  readonly id: string;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
  readonly kind: string;
  readonly type: string;
  readonly sourceInstance: string;
  /** The name, like the id, is empty when the entry is about no run. */
  readonly dagName: string;
  readonly dagRunId: string;
  /** The attempt is 0 when the entry is about no run. */
  readonly attempt: number;
  /** Name of the person who decided something. */
  readonly userId: string | null;
  /** The status of the run. */
  readonly status: string | null;
  readonly data: Readonly<Record<string, JsonValue>>;
}

export function workspaceOf({ data }: Pick<EventLogEntry, 'data'>): string | undefined {
  return typeof data.workspace === 'string' ? data.workspace : undefined;
}

/** The filter of a list of entries; missing fields do not limit it. */
export interface EventLogFilter extends Partial<
  Pick<EventLogEntry, 'kind' | 'type' | 'dagName' | 'dagRunId' | 'attempt'>
> {
  readonly userId?: string;
  /** Only entries whose data names one of these workspaces, or none. */
  readonly workspaces?: VisibleWorkspaces;
  /** Only entries at this time or later. */
  readonly from?: Date;
  /** Only entries before this time. */
  readonly to?: Date;
}

export type EventLogPosition = Pick<EventLogEntry, 'occurredAt' | 'id'>;

export interface EventLogPage {
  /** Only entries after this one. */
  readonly after?: EventLogPosition | undefined;
  /** The number of entries that are skipped first. Default: 0. */
  readonly offset?: number | undefined;
  readonly limit: number;
}

export interface EventLogBounds {
  /** Limits the number of entries; the newest are kept. */
  readonly maxEntries: number;
  /** Entries before this time are deleted. */
  readonly before: Date;
}

export interface EventLogRepository {
  /** Stores either all of them or none. */
  insert(entries: readonly EventLogEntry[]): Promise<void>;
  /** Lists the newest first. */
  list(filter: EventLogFilter, page: EventLogPage): Promise<readonly EventLogEntry[]>;
  count(filter: EventLogFilter): Promise<number>;
  prune(bounds: EventLogBounds): Promise<void>;
}
