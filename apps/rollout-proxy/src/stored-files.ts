import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { Logger } from '@weir/service-kit';
import type { Clock } from './clock';
import type { AdapterVersion } from '@weir/rollout-engine';
import type { Config } from './config';
import { maxStoredAdapters, toAdapterStore } from './features/adapters';
import { createCapacityLedger, type CapacityLedger } from './features/capacity';
import { toAnswerStore, type StoredAnswer } from './features/idempotency';
import type { SessionFilesOptions } from './features/sessions';
import { openWeightVersion } from './features/system';
import { openDurableMap } from './journal/durable-map';
import { createFileLimit } from './journal/file-limit';

const maxOpenFiles = 64;
const maxStoredAnswers = 10_000;

export interface StoredFilesOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Opens the files of a data folder, except those of sessions. One process has them. */
export async function openStoredFiles({ config, logger, clock }: StoredFilesOptions) {
  const { dataFolder, journalSync: sync } = config;
  const nowMs = () => clock.nowMs();
  const shared = { sync, fileLimit: createFileLimit(maxOpenFiles), nowMs, logger };
  const file = (name: string) => path.join(dataFolder, name);
  const grants = await openDurableMap<true>({
    ...shared,
    file: file('grants.journal'),
    // The limit is never reached: the ledger limits the grants.
    maxEntries: config.capacity + 1,
  });
  const answers = { ...shared, file: file('answers.journal'), maxEntries: maxStoredAnswers };
  const openAdapters = (name: string) =>
    openDurableMap<AdapterVersion>({ ...shared, file: file(name), maxEntries: maxStoredAdapters });
  return {
    openLedger: (unfinishedSessions: () => number): CapacityLedger =>
      createCapacityLedger({ limit: config.capacity, grantMs: config.grantMs, nowMs, grants, unfinishedSessions }),
    answers: toAnswerStore(await openDurableMap<StoredAnswer>(answers)),
    adapters: toAdapterStore({
      current: await openAdapters('adapters.journal'),
      loads: await openAdapters('adapter-loads.journal'),
    }),
    weightVersion: await openWeightVersion({ ...shared, file: file('weight-version.journal') }),
  };
}

/** The folder of the sessions' files; several processes may have it open, for different sessions. */
export function sessionFilesOptions(config: Config, logger: Logger): SessionFilesOptions {
  return {
    folder: path.join(config.dataFolder, 'sessions'),
    sync: config.journalSync,
    fileLimit: createFileLimit(maxOpenFiles),
    logger,
  };
}

export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new AppError('unavailable', `The folder ${folder} (ROLLOUT_DATA_DIR) cannot be written to.`, {
      reason: 'data_folder_unusable',
      cause,
    });
  }
}
