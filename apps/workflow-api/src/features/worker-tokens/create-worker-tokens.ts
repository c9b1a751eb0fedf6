import { timingSafeEqual } from 'node:crypto';
import type { Logger } from '@weir/service-kit';
import { workflowContract } from '@weir/workflow-contract';
import type { Clock } from '@weir/workflow-engine/model';
import type { Bind } from '../../access/bind';
import type { RandomSource } from '../../adapters/random-source';
import { remoteWorkerPrefix } from '../queue/store/remote-owner';
import type { WorkerRepository } from '../worker';
import { formatToken, hashToken, looksLikeToken, tokenBytes, type WorkerToken } from './worker-token';
import { presentWorkerToken } from './worker-token-presenter';
import type { WorkerTokenRepository } from './worker-token-repository';

export interface WorkerTokens {
  /** Whose token it is; `undefined` when it is unknown or revoked. */
  identify(token: string): Promise<WorkerTokenIdentity | undefined>;
  bindRoutes(bind: Bind): void;
}

export type WorkerTokenIdentity = Pick<WorkerToken, 'id' | 'name' | 'labels'>;

export interface WorkerTokensPorts {
  readonly workerTokens: WorkerTokenRepository;
  /** Ends the claims of workers, by the beginning of their ids. */
  readonly workers: Pick<WorkerRepository, 'removeAll'>;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly logger: Logger;
}

const useNotedEveryMs = 60_000;

/** The rights of workers that speak to a server instead of the database. */
export function createWorkerTokens(ports: WorkerTokensPorts): WorkerTokens {
  const { workerTokens, clock, logger } = ports;
  const noteUse = async ({ id, name, lastUsedAt }: WorkerToken): Promise<void> => {
    const at = clock.now();
    const notAfter = new Date(at.getTime() - useNotedEveryMs);
    if (lastUsedAt !== undefined && lastUsedAt > notAfter) return;
    try {
      await workerTokens.noteUse(id, { at, notAfter });
    } catch (error) {
      logger.warn({ err: error, workerToken: name }, 'the use of a worker token is not noted');
    }
  };
  return {
    async identify(token) {
      if (!looksLikeToken(token)) return undefined;
      const tokenHash = hashToken(token);
      const found = await workerTokens.findByHash(tokenHash);
      if (found === undefined || !timingSafeEqual(Buffer.from(found.tokenHash), Buffer.from(tokenHash)))
        return undefined;
      // A worker does not wait for this write.
      void noteUse(found);
      const { id, name, labels } = found;
      return { id, name, labels };
    },
    bindRoutes: (bind) => bindRoutes(bind, ports),
  };
}

function bindRoutes(bind: Bind, { workerTokens, workers, clock, random }: WorkerTokensPorts): void {
  bind(workflowContract.listWorkerTokens, async () => ({
    workerTokens: (await workerTokens.list()).map(presentWorkerToken),
  }));

  bind(workflowContract.createWorkerToken, async ({ input: { body }, principal, audit }) => {
    const token = formatToken(random.bytes(tokenBytes));
    const workerToken: WorkerToken = {
      id: random.uuid(),
      name: body.name,
      tokenHash: hashToken(token),
      labels: body.labels,
      createdAt: clock.now(),
      createdBy: principal.name,
      lastUsedAt: undefined,
    };
    await workerTokens.insert(workerToken, audit);
    return { workerToken: presentWorkerToken(workerToken), token };
  });

  bind(workflowContract.revokeWorkerToken, async ({ input: { params }, audit }) => {
    const removed = await workerTokens.remove(params.name, audit);
    // Otherwise their runs would wait for their leases to expire.
    await workers.removeAll(remoteWorkerPrefix(removed));
  });
}
