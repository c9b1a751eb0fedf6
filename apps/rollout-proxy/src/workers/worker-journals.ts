import {
  sessionMoved,
  type SessionFiles,
  type SessionJournal,
  type SessionJournals,
  type StoredSession,
} from '../features/sessions';
import type { Lease } from '../replicas/lease';
import type { SessionDirectory } from '../replicas/session-directory';
import type { WorkerCalls } from './registry';
import { stateOf } from './session-table';

export interface WorkerJournalsOptions {
  readonly files: SessionFiles;
  readonly lease: Pick<Lease, 'isHeld'>;
  readonly calls: WorkerCalls;
}

export interface WorkerJournals {
  readonly journals: SessionJournals;
  readonly directory: SessionDirectory;
}

/** The files of the sessions that this worker owns. Which those are is decided by the process that started it. */
export function createWorkerJournals({ files, lease, calls }: WorkerJournalsOptions): WorkerJournals {
  const owned = new Map<string, OwnedJournal>();

  const takeOver = async (id: string): Promise<StoredSession | undefined> => {
    const started = await calls.takeOver(id);
    if (started === undefined) return undefined;
    const stored = await files.read(started);
    if (stored === undefined) {
      // The worker that removed it ended before it could say so.
      await calls.remove(id);
      return undefined;
    }
    // What the worker before has written may not have been noted.
    await calls.noteState(id, stateOf(stored));
    const journal = own(id, stored.journal, { lease, calls, onRemoved: () => owned.delete(id) });
    owned.set(id, journal);
    return { ...stored, journal };
  };

  return {
    journals: {
      create: async (start) => {
        const started = await calls.create(start);
        return { started, journal: ofNobody };
      },
      findActive: (keyHash) => calls.findActive(keyHash),
      // Sessions are taken over when they are asked for, and otherwise once this worker has joined.
      restore: async function* () {
        yield* await Promise.resolve([]);
      },
    },
    directory: {
      find: (name) => calls.find(name),
      orphans: (except, limit) => calls.orphans(except, limit),
      takeOver,
      release: async (ids) => {
        // Whoever takes them over reads the files: nothing may be written after that.
        await Promise.all(ids.flatMap((id) => owned.get(id) ?? []).map((journal) => journal.close()));
        for (const id of ids) owned.delete(id);
        await calls.release(ids);
      },
    },
  };
}

/** A session that was just started belongs to the worker that gets its first call: so the work is shared. */
const ofNobody: SessionJournal = {
  append: () => Promise.reject(sessionMoved()),
  remove: () => Promise.reject(sessionMoved()),
  isOwned: () => false,
};

interface OwnedJournal extends SessionJournal {
  /** Refuses what is written from now on, and resolves when everything before is stored. */
  close(): Promise<void>;
}

interface OwnedOptions extends Pick<WorkerJournalsOptions, 'lease' | 'calls'> {
  readonly onRemoved: () => void;
}

function own(id: string, file: SessionJournal, { lease, calls, onRemoved }: OwnedOptions): OwnedJournal {
  let isClosed = false;
  const running = new Set<Promise<unknown>>();
  const isOwned = (): boolean => lease.isHeld() && !isClosed;
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isOwned()) throw sessionMoved();
    const done = work();
    running.add(done);
    try {
      return await done;
    } finally {
      running.delete(done);
    }
  };
  return {
    isOwned,
    append: (record) =>
      run(async () => {
        const bytes = await file.append(record);
        if (record.kind === 'ended' || record.kind === 'exported') await calls.noteState(id, record.kind);
        return bytes;
      }),
    remove: () =>
      run(async () => {
        await file.remove();
        onRemoved();
        await calls.remove(id);
      }),
    close: async () => {
      isClosed = true;
      await Promise.allSettled(running);
    },
  };
}
