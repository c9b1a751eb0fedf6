import type { Logger } from '@weir/service-kit';
import type { Clock, Timer } from '@weir/workflow-engine/model';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { RandomSource } from '../../adapters/random-source';
import type { Bind } from '../../access/bind';
import type { SpecReader } from '../../dag-parser';
import { createStartCheck, type DagRunRepository, type RunStopper, type StartRun } from '../runs';
import type { DagFileStore } from '../dags';
import type { BackfillRepository } from './backfill';
import { bindBackfillRoutes } from './backfill-routes';
import { createBackfillRunner, type BackfillRunner } from './backfill-runner';
import { createBackfillService } from './backfill-service';

export interface BackfillsPorts {
  readonly backfills: BackfillRepository;
  readonly store: DagFileStore;
  readonly specs: SpecReader;
  /** Reads specs for the server itself. */
  readonly serverSpecs: SpecReader;
  readonly runs: DagRunRepository;
  readonly startRun: StartRun;
  readonly stopper: RunStopper;
  readonly times: ScheduleTimes;
  /** Whether other processes may work on the same data. */
  readonly isShared: boolean;
  readonly dagsFolder: string;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: RandomSource;
  readonly logger: Logger;
}

export interface Backfills {
  readonly runner: BackfillRunner;
  bindRoutes(bind: Bind): void;
}

/** Creates the feature that starts runs for past occurrences. */
export function createBackfills(ports: BackfillsPorts): Backfills {
  const { runs, serverSpecs, dagsFolder } = ports;
  const runner = createBackfillRunner({ ...ports, specs: serverSpecs });
  const checkStart = createStartCheck({ runs, dagsDir: dagsFolder });
  const service = createBackfillService({ ...ports, checkStart, onStarted: () => runner.wake() });
  return { runner, bindRoutes: (bind) => bindBackfillRoutes(bind, service) };
}
