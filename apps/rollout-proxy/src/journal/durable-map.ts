import type { Logger } from '@weir/service-kit';
import { openJournalFile, type JournalFile, type JournalOptions } from './journal-file';

interface Entry<V> {
  readonly value: V;
  readonly expiresAtMs: number;
}

/** A small map that survives the process. Entries are ordered by insertion, and expire. */
export interface DurableMap<V> {
  get(key: string): V | undefined;
  /** Keys of entries that have not expired, oldest first. */
  keys(): readonly string[];
  size(): number;
  /** Resolves once the entry is stored. Beyond the maximum number of entries the oldest one is removed. */
  set(key: string, value: V, expiresAtMs: number): Promise<void>;
  delete(key: string): Promise<void>;
}

export interface DurableMapOptions extends JournalOptions {
  readonly maxEntries: number;
  readonly nowMs: () => number;
  readonly logger: Logger;
}

type Record<V> = readonly [key: string, value: V, expiresAtMs: number] | readonly [key: string];

const compactionBytes = 1024 * 1024;

export async function openDurableMap<V>(options: DurableMapOptions): Promise<DurableMap<V>> {
  const { values, journal } = await openJournalFile(options, options.logger);
  const entries = new Map<string, Entry<V>>();
  // Only this file writes them, and their checksums were verified.
  for (const record of values as readonly Record<V>[]) apply(entries, record);
  return createDurableMap(entries, journal, options);
}

function apply<V>(entries: Map<string, Entry<V>>, record: Record<V>): void {
  entries.delete(record[0]);
  if (record.length === 3) entries.set(record[0], { value: record[1], expiresAtMs: record[2] });
}

function createDurableMap<V>(
  entries: Map<string, Entry<V>>,
  journal: JournalFile,
  { maxEntries, nowMs, logger }: Pick<DurableMapOptions, 'maxEntries' | 'nowMs' | 'logger'>,
): DurableMap<V> {
  const dropExpired = () => {
    const now = nowMs();
    for (const [key, { expiresAtMs }] of entries) if (expiresAtMs <= now) entries.delete(key);
  };
  const dropOldest = () => {
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  };
  const compactIfLong = createCompaction(entries, journal, { dropExpired, logger });
  const live = (key: string) => {
    const entry = entries.get(key);
    return entry !== undefined && entry.expiresAtMs > nowMs() ? entry : undefined;
  };

  return {
    get: (key) => live(key)?.value,
    keys: () => {
      dropExpired();
      return [...entries.keys()];
    },
    size: () => {
      dropExpired();
      return entries.size;
    },
    set: async (key, value, expiresAtMs) => {
      // The memory is updated first, so that a concurrent compaction includes the entry.
      const before = entries.get(key);
      apply(entries, [key, value, expiresAtMs]);
      if (entries.size > maxEntries) dropExpired();
      dropOldest();
      try {
        await journal.append([key, value, expiresAtMs]);
      } catch (error) {
        entries.delete(key);
        if (before !== undefined) entries.set(key, before);
        throw error;
      }
      await compactIfLong();
    },
    delete: async (key) => {
      const before = entries.get(key);
      if (before === undefined) return;
      entries.delete(key);
      try {
        await journal.append([key]);
      } catch (error) {
        if (!entries.has(key)) entries.set(key, before);
        throw error;
      }
      await compactIfLong();
    },
  };
}

/** Rewrites a journal when it is much longer than its entries. */
function createCompaction<V>(
  entries: ReadonlyMap<string, Entry<V>>,
  journal: JournalFile,
  { dropExpired, logger }: { readonly dropExpired: () => void; readonly logger: Logger },
): () => Promise<void> {
  let compactAt = Math.max(compactionBytes, 2 * journal.bytes());
  return async () => {
    if (journal.bytes() < compactAt) return;
    compactAt = Number.POSITIVE_INFINITY;
    try {
      dropExpired();
      await journal.replace(() => [...entries].map(([key, { value, expiresAtMs }]) => [key, value, expiresAtMs]));
    } catch (error) {
      // The record is stored; the file only stays long.
      logger.warn({ error }, 'a journal could not be compacted');
    } finally {
      compactAt = Math.max(compactionBytes, 2 * journal.bytes());
    }
  };
}
