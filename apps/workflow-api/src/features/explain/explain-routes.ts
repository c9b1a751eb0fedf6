import type { FindCalendar, ScheduleTimes } from '@weir/workflow-spec/schedule';
import { workflowContract } from '@weir/workflow-contract';
import type { DagRunExplanation } from '@weir/workflow-contract/schemas';
import { runStatus, type Clock } from '@weir/workflow-engine/model';
import type { Bind } from '../../access/bind';
import type { DagParsers, SpecReader } from '../../dag-parser';
import type { Principal } from '../../access/principal';
import { stepNotFound, type DagRunRepository, type RunAddress, type RunAddresses } from '../runs';
import type { DagFileStore, DagFlagRepository } from '../dags';
import type { EventLogRepository } from '../event-log';
import type { QueueDriver } from '../queue/store';
import type { SchedulerStateRepository } from '../scheduler';
import type { ArrivedObjects } from '../triggers';
import type { WorkerRepository } from '../worker';
import { explainRun, explainStep } from './explain-steps';
import { bindDagExplainRoutes } from './dag-explain-routes';
import { createLiveness } from './liveness';
import { listOpenDecisions } from './list-open-decisions';
import { readEstimate } from './read-estimate';
import { readFacts } from './read-facts';

export interface ExplainPorts {
  readonly runs: DagRunRepository;
  readonly addresses: RunAddresses;
  readonly parsers: DagParsers;
  readonly queue: QueueDriver<never>;
  readonly workers: WorkerRepository;
  readonly schedulerState: SchedulerStateRepository;
  readonly flags: DagFlagRepository;
  readonly store: DagFileStore;
  readonly specs: SpecReader;
  readonly eventLog: EventLogRepository;
  /** The roles of this process. */
  readonly roles: () => readonly string[];
  readonly findCalendar: FindCalendar;
  readonly objects: ArrivedObjects;
  /** The folder that relative globs of triggers start at. */
  readonly dagsFolder: string;
  readonly times: ScheduleTimes;
  readonly clock: Clock;
}

export function bindExplainRoutes(bind: Bind, ports: ExplainPorts): void {
  const { addresses, parsers } = ports;
  const reader = { ...ports, parser: parsers.forRequests, liveness: createLiveness(ports) };
  const explain = async (
    address: RunAddress,
    name: string | undefined,
    principal: Principal,
  ): Promise<DagRunExplanation> => {
    const { dag, facts } = await readFacts(reader, await addresses.toRead(address, principal), principal);
    const { dagName, dagRunId, status } = facts.run;
    const estimate = await readEstimate(reader, facts);
    const explained = {
      name: dagName,
      dagRunId,
      status: runStatus.toNumber(status),
      statusLabel: status,
      ...(estimate === undefined ? {} : { estimate }),
    };
    if (name === undefined) return { ...explained, causes: [...explainRun(facts)] };
    const found = dag.steps.find((step) => step.name === name || step.id === name)?.name;
    const step = facts.steps.find((one) => one.name === found);
    if (step === undefined) throw stepNotFound(name);
    return {
      ...explained,
      step: { name: step.name, statusLabel: step.status },
      causes: [...explainStep(facts, step)],
    };
  };

  for (const endpoint of [workflowContract.explainDagRun, workflowContract.explainSubDagRun]) {
    bind(endpoint, ({ input: { params, query }, principal }) => {
      return explain(params, query.step, principal);
    });
  }

  bindDagExplainRoutes(bind, reader);

  bind(workflowContract.listOpenDecisions, ({ input: { query }, principal }) => {
    return listOpenDecisions(reader, query, principal);
  });
}
