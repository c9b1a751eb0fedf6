import type { Bind } from '../../bind';
import type { SpecReader } from '../../dag-parser';
import { createStartCheck, type DagRunRepository } from '../dag-runs';
import { bindBackfillRoutes } from './backfill-routes';
import { createBackfillRunner, type BackfillRunner, type BackfillRunnerDependencies } from './backfill-runner';
import { createBackfillService, type BackfillServiceDependencies } from './backfill-service';

export interface BackfillsDependencies
  extends
    Omit<BackfillServiceDependencies, 'checkStart' | 'onStarted' | 'runs' | 'store'>,
    Omit<BackfillRunnerDependencies, 'specs' | 'runs' | 'store'> {
  readonly store: BackfillServiceDependencies['store'] & BackfillRunnerDependencies['store'];
  readonly runs: Pick<DagRunRepository, 'listByRunIds' | 'findLatestWorkspace'>;
  /** Reads specs for the server itself. */
  readonly serverSpecs: SpecReader;
  readonly dagsFolder: string;
}

export interface Backfills {
  readonly runner: BackfillRunner;
  bindRoutes(bind: Bind): void;
}

/** Runs for occurrences of the past. */
export function createBackfills(dependencies: BackfillsDependencies): Backfills {
  const { runs, serverSpecs, dagsFolder } = dependencies;
  const runner = createBackfillRunner({ ...dependencies, specs: serverSpecs });
  const checkStart = createStartCheck({ runs, dagsDir: dagsFolder });
  const service = createBackfillService({ ...dependencies, checkStart, onStarted: () => runner.wake() });
  return { runner, bindRoutes: (bind) => bindBackfillRoutes(bind, service) };
}
