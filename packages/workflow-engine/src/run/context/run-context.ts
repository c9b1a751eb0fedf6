import type { Dag, Step } from '@weir/workflow-spec';
import type { Enclosure } from '../../model/ports/step-isolation';
import type { LogLimit } from '../../model/ports/log-limits';
import type { RunLog } from '../../host/logs/run-log';
import type { RunMailer } from '../../host/mail/run-mailer';
import type { DagRun, DagRunStep, Lease } from '../../model/run-model/dag-run';
import type { ScopeContext } from '../../scope/execute-scope';
import type { StepExecution } from '../../scope/loop/step-execution';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { RunValues } from '../../values/run-values/run-values';
import type { RunPorts } from './run-ports';

/** A run that this process has claimed, before its definition is known. */
export interface OpenRun {
  readonly ports: RunPorts;
  readonly run: DagRun;
  readonly lease: Lease;
  /** The steps of every scope, as they were stored when the run was claimed. */
  readonly steps: readonly DagRunStep[];
  readonly log: RunLog;
}

/** A run whose definition is known. */
export interface LoadedRun extends OpenRun {
  /** The enclosure in which its processes execute; without it, they execute as the server itself. */
  readonly enclosure: Enclosure | undefined;
  /** Limits the logs of its steps; they are unlimited when it is missing. */
  readonly logLimit: LogLimit | undefined;
  /** The root run; the run itself when no step started it. */
  readonly root: Pick<DagRun, 'id' | 'dagName' | 'dagRunId' | 'workspace' | 'attempt'>;
  readonly dag: Dag;
  /** The other DAGs of the same text, which its steps find before any other. */
  readonly localDags: readonly Dag[];
  /** Aborted when the end of the run is requested. */
  readonly stop: AbortSignal;
  /** Aborted when the run is to be released for its next owner. */
  readonly release: AbortSignal;
  /** Releases the whole run, because what happened to a part of it cannot be stored. */
  readonly abandon: (error: unknown) => void;
}

/** The execution of one run: what all of its scopes and steps have in common. */
export interface RunContext extends LoadedRun {
  /** The values of the DAG; scopes may add to them. */
  readonly values: RunValues;
  readonly mailer: RunMailer;
  /** Given here, because composite steps execute scopes of their own. */
  readonly executeStep: ScopeContext['executeStep'];
  /** The containers of the steps; closed with the run. */
  readonly containers: RunContainers;
}

export type ExecuteStep = (context: RunContext, execution: StepExecution) => Promise<StepOutcome>;

/** The containers of the steps of a run: one of a step's own, else that of the DAG. */
export interface RunContainers {
  /** Whether the step executes in a container: it has commands or a script, and it or the DAG a container. */
  has(step: Step): boolean;
  readonly execute: ExecuteStep;
  /** Removes the container of the DAG when the run has ended. Never rejects. */
  close(): Promise<void>;
}
