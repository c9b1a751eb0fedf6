import { setTimeout as sleepFor } from 'node:timers/promises';
import { AppError } from '@weir/foundation';
import type { Logger, Resource } from '@weir/service-kit';
import { databaseUnavailable, type Database } from './database';

export interface Replica {
  /** The number of its lease. A process that loses its lease gets another number. */
  readonly number: number;
  /** `http://host:port` */
  readonly address: string;
}

/** The right of this process to own sessions. Its number is the fencing token of all that it writes. */
export interface Lease {
  readonly number: number;
  readonly address: string;
  readonly leaseMs: number;
  /** Whether no other replica can have ended it yet. */
  isHeld(): boolean;
  /** Throws `unavailable`, reason `lease_lost`, where it is not held. */
  assertHeld(): void;
  /** Whether a replica had a lease at the last check, at most a quarter of a lease ago. */
  isKnown(number: number): boolean;
  /** Aborted when that replica no longer has its lease. */
  goneSignal(number: number): AbortSignal;
  /** The other replicas with a lease now, as all see it. Leases that are over end here. Rejects with `unavailable`. */
  others(): Promise<readonly Replica[]>;
  /** No session is taken over from now on. */
  readonly isDraining: boolean;
  drain(): void;
}

export interface LeaseEvents {
  /** Called when the sessions of this process have no owner, or another one. */
  readonly onLost: () => void;
  /** Called with a new lease before it counts. A rejection is retried. */
  readonly onTaken: () => Promise<void>;
  /** Called when sessions without an owner exist. */
  readonly onOrphans: () => void;
}

export interface LeaseOptions {
  readonly database: Database;
  readonly leaseMs: number;
  readonly logger: Logger;
}

export interface OpenLease extends Lease, Resource {
  /** Takes the first lease, and keeps it from then on. Rejects where that cannot be. */
  start(address: string, events: LeaseEvents): Promise<void>;
}

/** A lease that expires unless the database hears of it in time. */
export interface DatabaseLease extends OpenLease {
  /** A write found another owner, or its outcome is unknown: the lease ends, and with it every claim of this process. */
  giveUp(why: string): void;
  /** Ends the lease of a process of this machine that has ended for certain. */
  end(address: string): Promise<void>;
}

const retryMs = 250;

export function createLease(options: LeaseOptions): DatabaseLease {
  return new HeldLease(options);
}

class HeldLease implements DatabaseLease {
  readonly name = 'lease of the replica';
  readonly leaseMs: number;
  readonly #options: LeaseOptions;
  readonly #stopping = new AbortController();
  #events: LeaseEvents | undefined;
  #address = '';
  #number = 0;
  #heldUntilMs = 0;
  #isTaken = false;
  #isDraining = false;
  #known = new Set<number>();
  #gone = new Map<number, AbortController>();
  #loop: Promise<void> = Promise.resolve();
  #wake = new AbortController();

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.leaseMs = options.leaseMs;
  }

  get number(): number {
    return this.#number;
  }

  get address(): string {
    return this.#address;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  isHeld(): boolean {
    // The clock of the machine, which goes on while the process is paused.
    return this.#isTaken && performance.now() < this.#heldUntilMs;
  }

  assertHeld(): void {
    if (this.isHeld()) return;
    throw new AppError('unavailable', 'This replica has no lease; its sessions may be elsewhere.', {
      reason: 'lease_lost',
      details: { retryAfterSeconds: 1 },
    });
  }

  isKnown(number: number): boolean {
    return this.#known.has(number);
  }

  goneSignal(number: number): AbortSignal {
    const controller = this.#gone.get(number) ?? new AbortController();
    this.#gone.set(number, controller);
    return controller.signal;
  }

  async others(): Promise<readonly Replica[]> {
    const query: Database['query'] = (...given) =>
      this.#options.database.query(...given).catch((error: unknown) => {
        throw databaseUnavailable(error);
      });
    await query('DELETE FROM weir_rollout.replica WHERE expires_at <= now() AND number <> $1', [this.#number]);
    const { rows } = await query('SELECT number, address FROM weir_rollout.replica WHERE number <> $1', [this.#number]);
    return rows.map(({ number, address }) => ({ number: Number(number), address: String(address) }));
  }

  giveUp(why: string): void {
    if (!this.#isTaken) return;
    this.#options.logger.warn({ lease: this.#number, why }, 'the lease of this replica has ended');
    this.#isTaken = false;
    this.#events?.onLost();
    this.#wake.abort();
  }

  async end(address: string): Promise<void> {
    await this.#options.database.query('DELETE FROM weir_rollout.replica WHERE address = $1 AND number <> $2', [
      address,
      this.#number,
    ]);
    if (this.#isTaken) await this.#renew();
  }

  drain(): void {
    this.#isDraining = true;
  }

  async start(address: string, events: LeaseEvents): Promise<void> {
    this.#address = address;
    this.#events = events;
    await this.#take();
    await this.#renew();
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake.abort();
    await this.#loop;
    this.#isTaken = false;
    // Hands over every session at once.
    await this.#options.database.query('DELETE FROM weir_rollout.replica WHERE number = $1', [this.#number]);
  }

  async #run(): Promise<void> {
    const { logger } = this.#options;
    const isStopping = (): boolean => this.#stopping.signal.aborted;
    while (!isStopping()) {
      this.#wake = new AbortController();
      const waitMs = this.#isTaken ? this.leaseMs / 4 : retryMs;
      await sleepFor(waitMs, undefined, { signal: this.#wake.signal }).catch(() => undefined);
      if (isStopping()) return;
      try {
        if (!this.#isTaken) await this.#take();
        await this.#renew();
      } catch (error) {
        logger.warn({ lease: this.#number, error }, 'the lease could not be renewed; it is tried again');
      }
    }
  }

  /** Ends the previous lease, so that its pending writes are refused. */
  async #take(): Promise<void> {
    const sentAtMs = performance.now();
    this.#number = await this.#options.database.transaction(async (query) => {
      await query('DELETE FROM weir_rollout.replica WHERE number = $1', [this.#number]);
      const { rows } = await query(
        `INSERT INTO weir_rollout.replica (address, expires_at)
         VALUES ($1, now() + $2 * interval '1 millisecond') RETURNING number`,
        [this.#address, this.leaseMs],
      );
      return Number(rows[0]?.number);
    });
    await this.#events?.onTaken();
    this.#heldUntilMs = sentAtMs + this.leaseMs;
    this.#isTaken = true;
    this.#options.logger.info({ lease: this.#number, address: this.#address }, 'this replica has a lease');
  }

  async #renew(): Promise<void> {
    const sentAtMs = performance.now();
    const lease = this.#number;
    const { rows } = await this.#options.database.query({
      name: 'renew',
      text: renewal,
      values: [lease, this.leaseMs],
    });
    if (lease !== this.#number || !this.#isTaken) return;
    // The lease was not ended, even if it was late: all sessions still belong to this process.
    if (!rows.some(({ number }) => Number(number) === lease)) {
      this.giveUp('it expired and was ended by another replica');
      return;
    }
    this.#heldUntilMs = sentAtMs + this.leaseMs;
    this.#look(rows.filter(({ is_over }) => is_over !== true).map(({ number }) => Number(number)));
    if (rows.some(({ is_over }) => is_over === true)) await this.others();
    if (rows[0]?.has_orphans === true && !this.#isDraining) this.#events?.onOrphans();
  }

  #look(present: readonly number[]): void {
    this.#known = new Set(present);
    for (const [number, controller] of this.#gone) {
      if (this.#known.has(number)) continue;
      this.#gone.delete(number);
      controller.abort();
    }
  }
}

const renewal = `
WITH renewed AS (
  UPDATE weir_rollout.replica SET expires_at = now() + $2 * interval '1 millisecond' WHERE number = $1 RETURNING number
)
SELECT replica.number, replica.number <> $1 AND expires_at <= now() AS is_over,
  EXISTS (SELECT FROM weir_rollout.session WHERE owner IS NULL) AS has_orphans
FROM weir_rollout.replica, (SELECT count(*) FROM renewed) AS once`;
