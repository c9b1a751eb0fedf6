import type { Clock } from '@weir/workflow-engine/model';
import type { Bind } from '../../access/bind';
import type { DagParsers } from '../../dag-parser';
import { bindDagRunRoutes } from './read/dag-run-routes';
import type { DagRunRepository } from './store/dag-run-repository';
import { createDagRunService, type DagRunService, type DagRunServiceDependencies } from './read/dag-run-service';
import { bindDecisionRoutes } from './decisions/decision-routes';
import {
  createDecisionService,
  type DecisionService,
  type DecisionServiceDependencies,
} from './decisions/decision-service';
import type { RunFiles } from '../../run-files';
import { createLogIndexes } from '../logs/reader';
import type { LogSearcher } from '../logs/search/log-searcher';
import { bindLogFollowRoutes } from '../logs/log-follow-routes';
import { createLogFollowers, type LogFollowersDependencies } from '../logs/log-followers';
import { bindLogLineRoutes } from '../logs/log-line-routes';
import { bindLogRoutes } from '../logs/log-routes';
import { createRunLogs, type RunLogs } from '../logs/run-logs';
import { bindFamilyRoutes } from './read/family-routes';
import { createApprovals } from './decisions/approvals';
import { createRunAddresses, type RunAddresses } from './read/run-addresses';
import { createRunRetrier, type RunRetrier } from './rerun/run-retrier';
import { createStepCorrections } from './decisions/step-corrections';
import { bindStepRoutes } from './decisions/step-routes';
import { createRunStopper, type RunStopper } from './stop/run-stopper';

export interface DagRunsPorts
  extends
    Pick<DecisionServiceDependencies, 'removeRun'>,
    Pick<DagRunServiceDependencies, 'listModelPrices'>,
    Pick<LogFollowersDependencies, 'onRunChange' | 'maxStreams'> {
  readonly runs: DagRunRepository;
  readonly parsers: DagParsers;
  readonly logSearcher: LogSearcher;
  readonly runFiles: RunFiles;
  readonly clock: Clock;
  /** Called after a request to stop a run was stored. */
  readonly onStopRequested: (runId: string) => void;
  /** Whether the DAGs folder has a file of this name. */
  readonly hasDagFile: (fileName: string) => Promise<boolean>;
}

/** The operations on stored runs. */
export interface DagRuns {
  readonly addresses: RunAddresses;
  readonly logs: RunLogs;
  readonly stopper: RunStopper;
  readonly retrier: RunRetrier;
  readonly service: DagRunService;
  readonly decisions: DecisionService;
  bindRoutes(bind: Bind): void;
}

export function createDagRuns(ports: DagRunsPorts): DagRuns {
  const { runs, parsers, clock, runFiles, onStopRequested, removeRun } = ports;
  const parser = parsers.forRequests;
  const addresses = createRunAddresses(runs);
  const stopper = createRunStopper({ runs, clock, onRequested: onStopRequested });
  const retrier = createRunRetrier({ runs, parser: parsers.forServer, clock });
  const approvals = createApprovals({ runs, parser, clock });
  const service = createDagRunService({ ...ports, addresses, parser, stopper });
  const decisions = createDecisionService({ addresses, approvals, retrier, removeRun });
  const logs = createRunLogs({ runs, addresses });
  const indexes = createLogIndexes();
  return {
    addresses,
    logs,
    stopper,
    retrier,
    service,
    decisions,
    bindRoutes: (bind) => {
      bindDagRunRoutes(bind, { dagRuns: service, runFiles });
      bindFamilyRoutes(bind, service);
      bindLogRoutes(bind, { logs, runFiles });
      bindLogLineRoutes(bind, { logs, indexes, searcher: ports.logSearcher, runFiles });
      bindLogFollowRoutes(bind, createLogFollowers({ ...ports, logs, indexes }));
      bindDecisionRoutes(bind, decisions);
      bindStepRoutes(bind, createStepCorrections({ runs, addresses, parser, clock }));
    },
  };
}
