import { isAppError } from '@weir/foundation';
import { PassedAnswer, type BoundCall, type CallRecord, type Logger, type Resource } from '@weir/service-kit';
import type { Clock, Timer } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import { unaudited, type Audited, type AuditedChange, type AuditedOperation } from '../../access/audited-operation';
import { notingNeeds, type Principal } from '../../access/principal';
import type { AuditLogRepository, AuditRecord } from './audit-entry';
import { toAuditRecord } from './audit-record';

export interface AuditTrailDependencies {
  readonly auditLog: AuditLogRepository;
  /** How long entries are retained; `undefined` for ever. */
  readonly auditRetentionMs: number | undefined;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Pick<RandomSource, 'uuid'>;
  readonly logger: Logger;
}

/** Records what callers change. */
export interface AuditTrail extends Resource {
  /** The entry of a change is stored before the call is answered. */
  readonly openRecord: (call: BoundCall<Principal>) => CallRecord<Audited>;
  /** Puts everything that was recorded into the chain. */
  readonly seal: () => Promise<void>;
  /** Puts into the chain what a process that was killed has left. */
  readonly start: () => void;
}

const sealAfterMs = 1_000;
const batchSize = 500;
const pruneEveryMs = 3_600_000;
const pruneBatch = 1_000;

export function createAuditTrail(dependencies: AuditTrailDependencies): AuditTrail {
  const { auditLog, clock, random } = dependencies;
  const sealer = createSealer(dependencies);
  const newRecord = (): Pick<AuditRecord, 'id' | 'timestamp'> => ({ id: random.uuid(), timestamp: clock.now() });
  return {
    name: 'audit log',
    ...sealer,
    openRecord: (call) => {
      const action = call.endpoint.audit;
      if (action === undefined || action === 'no-change') return { given: { audit: unaudited } };
      const toRecord: ToRecord = (change, principal) =>
        toAuditRecord({ call: principal === undefined ? call : { ...call, principal }, action, change }, newRecord());
      const entry = { isStored: false };
      const close = (): void => {
        // What the request has set off goes on, and changes nothing of its entry.
        entry.isStored = true;
        sealer.sealSoon();
      };
      return {
        given: { audit: createOperation({ auditLog, toRecord, onPart: sealer.sealSoon }, entry) },
        succeeded: async (result) => {
          // Another node has refused the change.
          const isRefused = result instanceof PassedAnswer && result.status >= 400;
          if (!entry.isStored && !isRefused) await auditLog.append(toRecord({}));
          close();
        },
        failed: async (error) => {
          try {
            if ((action.recordsFailures === true && isRefusal(call, error)) || isUncertain(error)) {
              await auditLog.append(toAuditRecord({ call, action, change: {}, failure: error }, newRecord()));
            }
          } finally {
            close();
          }
        },
      };
    },
  };
}

type ToRecord = (change: AuditedChange, principal?: Principal) => AuditRecord;

interface OperationPorts {
  readonly auditLog: Pick<AuditLogRepository, 'append'>;
  readonly toRecord: ToRecord;
  readonly onPart: () => void;
}

/** `entry` says whether the entry is stored. */
function createOperation(
  { auditLog, toRecord, onPart }: OperationPorts,
  entry: { isStored: boolean },
): AuditedOperation {
  return {
    record: async (change) => {
      if (entry.isStored) return;
      await auditLog.append(toRecord(change));
      entry.isStored = true;
    },
    inTransaction: async (unitOfWork, work, options) => {
      const recorded = { isDone: false };
      const result = await unitOfWork((transaction) => {
        // An attempt before was rolled back with what it had recorded.
        recorded.isDone = false;
        return work(transaction, async (change) => {
          if (entry.isStored || recorded.isDone) return;
          await auditLog.append(toRecord(change), transaction);
          recorded.isDone = true;
        });
      }, options);
      if (recorded.isDone) entry.isStored = true;
      return result;
    },
    inPart: async ({ resourceId, principal: caller }, work) => {
      const principal = notingNeeds(caller);
      const toPart: ToRecord = (change, by = principal) => toRecord({ resourceId, ...change }, by);
      const audit = createOperation({ auditLog, toRecord: toPart, onPart }, { isStored: false });
      const result = await work({ principal, audit });
      // Does nothing where the work has recorded what it changed.
      await audit.record({});
      onPart();
      return result;
    },
  };
}

/** Whether another node may have made the change although its answer is missing. */
function isUncertain(error: unknown): boolean {
  return isAppError(error) && (error.reason === 'remote_node_timeout' || error.reason === 'remote_node_failed');
}

/** Those of a caller that is slowed down were recorded before. */
function isRefusal({ input }: BoundCall<Principal>, error: unknown): boolean {
  return input !== undefined && isAppError(error) && error.code !== 'rate_limited';
}

function createSealer({ auditLog, auditRetentionMs, clock, timer, random, logger }: AuditTrailDependencies) {
  let cancel: (() => void) | undefined;
  let sealing: Promise<void> = Promise.resolve();
  let prunedAt = 0;

  const prune = async (): Promise<void> => {
    const now = clock.now();
    if (auditRetentionMs === undefined || now.getTime() - prunedAt < pruneEveryMs) return;
    prunedAt = now.getTime();
    const before = new Date(now.getTime() - auditRetentionMs);
    const toRecord = (last: { readonly position: number; readonly hash: string }): AuditRecord => ({
      id: random.uuid(),
      timestamp: now,
      category: 'audit',
      action: 'audit_prune',
      result: 'success',
      userId: '',
      username: '',
      credentialType: 'server',
      credentialId: null,
      ipAddress: null,
      resourceType: 'audit',
      resourceId: null,
      workspace: null,
      correlationId: '',
      details: JSON.stringify({ after: { prunedPosition: last.position, prunedHash: last.hash } }),
    });
    while ((await auditLog.prune(before, pruneBatch, toRecord)) === pruneBatch);
  };
  const sealAll = async (): Promise<void> => {
    while ((await auditLog.seal(batchSize)) === batchSize);
  };
  const seal = (): Promise<void> => {
    const next = sealing.then(sealAll);
    sealing = next.catch(() => undefined);
    return next;
  };
  const sealInBackground = async (): Promise<void> => {
    try {
      await seal();
      await prune();
    } catch (error) {
      // They are stored; the next change puts them into the chain.
      logger.warn({ error }, 'audit entries could not be put into the chain');
    }
  };
  const sealSoon = (): void => {
    cancel ??= timer.start(sealAfterMs, () => {
      cancel = undefined;
      void sealInBackground();
    });
  };
  return {
    seal,
    sealSoon,
    start: sealSoon,
    stop: async () => {
      cancel?.();
      await sealInBackground();
    },
  };
}
