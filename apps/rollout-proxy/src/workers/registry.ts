import { LRUCache } from 'lru-cache';
import type { AdapterVersion } from '@weir/rollout-engine';
import type { AdapterStore } from '../features/adapters';
import type { CapacityLedger, ClaimedGrant } from '../features/capacity';
import type { AnswerStore, StoredAnswer } from '../features/idempotency';
import {
  sessionKeyInUse,
  sessionsExhausted,
  type NewSession,
  type SessionFiles,
  type StartedRecord,
} from '../features/sessions';
import type { WeightVersion } from '../features/system';
import type { Replica } from '../replicas/lease';
import type { ListedSession, SessionName } from '../replicas/session-directory';
import type { SharedGeneration } from '../replicas/shared-weights';
import { createSessionTable, stateOf, type KnownSession, type SessionState, type SessionTable } from './session-table';

/** What a worker asks of the process that started it. Rejections are those of the ports that are served with it. */
export interface WorkerCalls {
  /** From then on the worker may own sessions; the others reach it at this address. */
  join(address: string): Promise<void>;
  others(): Promise<readonly Replica[]>;
  /** Chooses the id of a session, stores its start and uses its grant. The session has no owner yet. */
  create(start: NewSession): Promise<StartedRecord>;
  findActive(keyHash: string): Promise<string | undefined>;
  find(name: SessionName): Promise<ListedSession | undefined>;
  orphans(except: readonly string[], limit: number): Promise<readonly string[]>;
  /** Makes the worker the owner of a session that has none. `undefined` if it has another one, or does not exist. */
  takeOver(sessionId: string): Promise<StartedRecord | undefined>;
  release(sessionIds: readonly string[]): Promise<void>;
  /** Notes the state that the journal of a session of this worker has. */
  noteState(sessionId: string, state: SessionState): Promise<void>;
  /** The journal of a session of this worker is removed. */
  remove(sessionId: string): Promise<void>;
  unusedGrants(): Promise<number>;
  grant(name?: string): Promise<number>;
  /** Resolves with the id of the grant. */
  claim(): Promise<string>;
  releaseGrant(id: string): Promise<void>;
  readAnswer(id: string): Promise<StoredAnswer | undefined>;
  storeAnswer(id: string, answer: StoredAnswer, expiresAtMs: number): Promise<void>;
  findAdapter(name: string): Promise<AdapterVersion | undefined>;
  allAdapters(): Promise<readonly AdapterVersion[]>;
  addAdapter(adapter: AdapterVersion): Promise<AdapterVersion>;
  replaceAdapter(adapter: AdapterVersion): Promise<AdapterVersion>;
  removeAdapter(name: string): Promise<void>;
  adapterLoads(): Promise<readonly AdapterVersion[]>;
  addAdapterLoad(adapter: AdapterVersion): Promise<void>;
  removeAdapterLoad(engineName: string): Promise<void>;
  readGeneration(): Promise<SharedGeneration>;
  storeGeneration(next: SharedGeneration): Promise<void>;
}

export interface RegistryOptions {
  readonly files: SessionFiles;
  readonly openLedger: (unfinishedSessions: () => number) => CapacityLedger;
  readonly answers: AnswerStore;
  readonly weightVersion: WeightVersion;
  readonly adapters: AdapterStore;
  readonly maxSessions: number;
  /** Called when a worker has joined or left. */
  readonly onWorkers: (workers: readonly Replica[]) => void;
  /** Called when sessions have lost their owner. */
  readonly onOrphans: () => void;
}

/** The sessions, the capacity and the stored answers of all workers. A worker is known by its number. */
export interface Registry {
  callsOf(worker: number): WorkerCalls;
  /** The worker has ended for certain: its sessions have no owner now. */
  leave(worker: number): Promise<void>;
  readonly hasOrphans: () => boolean;
}

/** Reads which sessions are stored. None has an owner then. */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { answers, weightVersion, adapters, onWorkers, onOrphans } = options;
  const table = createSessionTable();
  for await (const stored of options.files.readAll()) {
    table.set({ started: stored.started, state: stateOf(stored), owner: undefined });
  }
  const workers = new Map<number, Replica>();
  const grants = createGrants(options.openLedger(table.active), (worker) => workers.has(worker));
  // The process may have ended between the two writes of a start.
  for (const { started } of table.all()) await grants.discard(started.grantId);
  const create = createStarts(options, table, grants.consume);
  /** Not stored, as by a single process. */
  let pause: SharedGeneration['pause'];

  /** Changes a session, if it belongs to this worker. */
  const change = (worker: number, id: string, next: Partial<KnownSession>): void => {
    const session = table.find({ id });
    if (session?.owner === worker) table.set({ ...session, ...next });
  };
  const list = (): readonly Replica[] => [...workers.values()];

  return {
    hasOrphans: () => table.withoutOwner().length > 0,
    leave: async (worker) => {
      workers.delete(worker);
      for (const session of [...table.all()]) change(worker, session.started.sessionId, { owner: undefined });
      onWorkers(list());
      onOrphans();
      await grants.leave(worker);
    },
    callsOf: (worker) => ({
      join: async (address) => {
        workers.set(worker, { number: worker, address });
        onWorkers(list());
        await Promise.resolve();
      },
      others: () => Promise.resolve(list().filter(({ number }) => number !== worker)),
      create,
      findActive: (keyHash) => Promise.resolve(table.findActive(keyHash)?.started.sessionId),
      find: (name) => Promise.resolve(toListed(table.find(name), workers)),
      orphans: (except, limit) => {
        const known = new Set(except);
        const ids = table.withoutOwner().filter((id) => !known.has(id));
        return Promise.resolve(shuffle(ids).slice(0, limit));
      },
      takeOver: (id) => {
        const session = table.find({ id });
        const isFree = session?.owner === undefined || session.owner === worker;
        if (session === undefined || !isFree || !workers.has(worker)) return Promise.resolve(undefined);
        table.set({ ...session, owner: worker });
        return Promise.resolve(session.started);
      },
      release: async (ids) => {
        for (const id of ids) change(worker, id, { owner: undefined });
        onOrphans();
        await Promise.resolve();
      },
      noteState: async (id, state) => {
        change(worker, id, { state });
        await Promise.resolve();
      },
      remove: async (id) => {
        if (table.find({ id })?.owner === worker) table.delete(id);
        await Promise.resolve();
      },
      unusedGrants: grants.unused,
      grant: grants.grant,
      claim: () => grants.claim(worker),
      releaseGrant: grants.release,
      readAnswer: (id) => answers.get(id),
      storeAnswer: (...entry) => answers.set(...entry),
      findAdapter: (name) => adapters.find(name),
      allAdapters: () => adapters.all(),
      addAdapter: (adapter) => adapters.add(adapter),
      replaceAdapter: (adapter) => adapters.replace(adapter),
      removeAdapter: (name) => adapters.remove(name),
      adapterLoads: () => adapters.loads(),
      addAdapterLoad: (adapter) => adapters.addLoad(adapter),
      removeAdapterLoad: (engineName) => adapters.removeLoad(engineName),
      readGeneration: () => Promise.resolve({ ...weightVersion.stored, pause }),
      storeGeneration: async ({ pause: nextPause, ...weights }) => {
        await weightVersion.store(weights);
        pause = nextPause;
      },
    }),
  };
}

function toListed(session: KnownSession | undefined, workers: ReadonlyMap<number, Replica>): ListedSession | undefined {
  if (session === undefined) return undefined;
  const { started, owner } = session;
  return { id: started.sessionId, owner: owner === undefined ? undefined : workers.get(owner) };
}

/** Starts sessions one by one as far as numbers and keys are concerned; the files are written at the same time. */
function createStarts(
  { files, maxSessions }: RegistryOptions,
  table: SessionTable,
  consume: (grantId: string) => Promise<void>,
): WorkerCalls['create'] {
  let nextNumber = 0;
  for (const { started } of table.all()) nextNumber = Math.max(nextNumber, started.number + 1);
  return async (start) => {
    if (table.size() >= maxSessions) throw sessionsExhausted();
    if (table.findActive(start.keyHash) !== undefined) throw sessionKeyInUse();
    // A single process numbers the sessions of each task, so an id may be taken.
    while (table.find({ id: `${start.taskId}-${nextNumber}` }) !== undefined) nextNumber += 1;
    const number = nextNumber++;
    const started: StartedRecord = { ...start, sessionId: `${start.taskId}-${number}`, number };
    // While the start is written, no worker can take the session: it has this one as its owner, which no worker is.
    table.set({ started, state: 'active', owner: notAWorker });
    try {
      await files.create(started);
    } catch (error) {
      table.delete(started.sessionId);
      throw error;
    }
    table.set({ started, state: 'active', owner: undefined });
    await consume(start.grantId);
    return started;
  };
}

const notAWorker = 0;
const maxGrantNames = 10_000;

/** Grants, and which worker is starting a session with them. */
function createGrants(ledger: CapacityLedger, isMember: (worker: number) => boolean) {
  const claims = new Map<string, { readonly worker: number; readonly grant: ClaimedGrant }>();
  const named = new LRUCache<string, Promise<number>>({ max: maxGrantNames });
  const take = (id: string): ClaimedGrant | undefined => {
    const claim = claims.get(id);
    claims.delete(id);
    return claim?.grant;
  };
  const release = async (id: string): Promise<void> => take(id)?.release();
  return {
    unused: () => ledger.unused(),
    discard: (id: string) => ledger.discard(id),
    /** A repeat that comes to another worker while the first one has not been answered gets the same grant. */
    grant: async (name?: string): Promise<number> => {
      if (name === undefined) return ledger.grant();
      const first = named.get(name);
      if (first !== undefined) return first;
      const granting = ledger.grant();
      named.set(name, granting);
      granting.catch(() => named.delete(name));
      return granting;
    },
    claim: async (worker: number): Promise<string> => {
      const grant = await ledger.claim();
      claims.set(grant.id, { worker, grant });
      if (!isMember(worker)) await release(grant.id);
      return grant.id;
    },
    consume: async (id: string): Promise<void> => take(id)?.consume(),
    release,
    leave: async (worker: number): Promise<void> => {
      for (const [id, claim] of [...claims]) if (claim.worker === worker) await release(id);
    },
  };
}

/** So that workers that look at the same time do not take the same ones. */
function shuffle<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}
