import type { Logger } from '@weir/service-kit';
import type { Config } from '../config';
import type { AdapterStore } from '../features/adapters';
import type { CapacityLedger } from '../features/capacity';
import { openSessionFiles, type SessionFiles } from '../features/sessions';
import { joinReplicas } from '../replicas/join-replicas';
import type { Replicas } from '../replicas/open-replicas';
import { openSharedWeights } from '../replicas/shared-weights';
import { sessionFilesOptions } from '../stored-files';
import type { WorkerCalls } from './registry';
import { createWorkerJournals } from './worker-journals';
import { createWorkerLease } from './worker-lease';
import type { WorkerLink } from './worker-link';

/** What stands in a worker for the files of a single process. */
export async function openWorker(options: {
  readonly config: Config;
  readonly adminKey: string;
  readonly link: WorkerLink;
  readonly logger: Logger;
}): Promise<Replicas> {
  const { config, adminKey, link, logger } = options;
  const { calls } = link;
  const files = await openSessionFiles(sessionFilesOptions(config, logger));
  const { lease, journals, directory } = createWorkerPorts({ number: link.number, calls, files });
  const weights = await openSharedWeights({
    read: () => calls.readGeneration(),
    write: (next) => calls.storeGeneration(next),
  });
  link.on('workers', ({ workers }) => lease.setWorkers(workers));
  link.on('orphans', () => lease.findOrphans());
  return {
    journals,
    ledger: createWorkerCapacity(calls),
    storedAnswers: { get: (id) => calls.readAnswer(id), set: (...entry) => calls.storeAnswer(...entry) },
    weightVersion: weights.version,
    adapters: createWorkerAdapters(calls),
    join: (parts) => {
      const hasHeirs = () => !link.isGroupStopping();
      return joinReplicas({ lease, directory, weights, adminKey, hasHeirs, logger }, parts);
    },
    // The process that started the workers has ended it.
    endLease: () => Promise.resolve(),
  };
}

/** How long a request waits at most for another worker, which is replaced in less. */
const leaseMs = 10_000;

export interface WorkerPortsOptions {
  readonly number: number;
  readonly calls: WorkerCalls;
  readonly files: SessionFiles;
}

/** What a worker is of the group: its right to own sessions, and their journals. */
export function createWorkerPorts({ number, calls, files }: WorkerPortsOptions) {
  const lease = createWorkerLease({ number, leaseMs, calls });
  return { lease, ...createWorkerJournals({ files, lease, calls }) };
}

export function createWorkerAdapters(calls: WorkerCalls): AdapterStore {
  return {
    find: (name) => calls.findAdapter(name),
    all: () => calls.allAdapters(),
    add: (adapter) => calls.addAdapter(adapter),
    replace: (adapter) => calls.replaceAdapter(adapter),
    remove: (name) => calls.removeAdapter(name),
    loads: () => calls.adapterLoads(),
    addLoad: (adapter) => calls.addAdapterLoad(adapter),
    removeLoad: (engineName) => calls.removeAdapterLoad(engineName),
  };
}

/** Grants are counted by the process that started the workers. */
export function createWorkerCapacity(calls: WorkerCalls): CapacityLedger {
  return {
    unused: () => calls.unusedGrants(),
    grant: (name) => calls.grant(name),
    claim: async () => {
      const id = await calls.claim();
      return {
        id,
        // The start of the session uses the grant.
        consume: () => Promise.resolve(),
        release: () => calls.releaseGrant(id),
      };
    },
    discard: () => Promise.resolve(),
  };
}
