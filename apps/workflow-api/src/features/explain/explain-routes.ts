import { workflowContract, type DagRunExplanation } from '@weir/workflow-contract';
import { runStatus } from '@weir/workflow-engine';
import type { Bind } from '../../bind';
import type { DagParsers } from '../../dag-parser';
import type { Principal } from '../auth';
import { stepNotFound, type RunAddress, type RunAddresses } from '../dag-runs';
import { explainRun, explainStep } from './explain-steps';
import { bindDagExplainRoutes, type DagExplainDependencies } from './dag-explain-routes';
import { createLiveness, type LivenessDependencies } from './liveness';
import { listOpenDecisions, type OpenDecisionsDependencies } from './list-open-decisions';
import { readEstimate, type EstimateReader } from './read-estimate';
import { readFacts, type FactReaderDependencies } from './read-facts';

export interface ExplainDependencies
  extends
    Omit<FactReaderDependencies, 'liveness' | 'parser' | 'runs' | 'flags'>,
    Omit<DagExplainDependencies, 'liveness' | 'runs' | 'flags' | 'schedulerState'>,
    LivenessDependencies {
  readonly flags: FactReaderDependencies['flags'] & DagExplainDependencies['flags'];
  readonly runs: FactReaderDependencies['runs'] &
    DagExplainDependencies['runs'] &
    OpenDecisionsDependencies['runs'] &
    EstimateReader['runs'];
  readonly addresses: RunAddresses;
  readonly parsers: DagParsers;
}

export function bindExplainRoutes(bind: Bind, dependencies: ExplainDependencies): void {
  const { addresses, parsers } = dependencies;
  const reader = { ...dependencies, parser: parsers.forRequests, liveness: createLiveness(dependencies) };
  const explain = async (
    address: RunAddress,
    name: string | undefined,
    principal: Principal,
  ): Promise<DagRunExplanation> => {
    const { dag, facts } = await readFacts(reader, await addresses.toRead(address, principal), principal);
    const { dagName, dagRunId, status } = facts.run;
    const estimate = await readEstimate(reader, facts);
    const explained = {
      ...{ name: dagName, dagRunId, status: runStatus.toNumber(status), statusLabel: status },
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
