import type { ApprovalOrder } from '../features/local-control';
import { operatorName } from './operator-name';
import type { StoreCommand } from './program-host';
import { resolveDagName } from './find-runnable-target';
import { withRunControl } from './with-run-control';

export interface DecideOptions extends StoreCommand {
  /** Found by the id of the run when left out. */
  readonly dag?: string | undefined;
  readonly runId: string;
  readonly step: string;
  readonly decision: ApprovalOrder['decision'];
  readonly input?: Readonly<Record<string, string>> | undefined;
  readonly reason?: string | undefined;
}

const words = { approve: 'approved', reject: 'rejected', 'push-back': 'sent back' } as const;

/** Says what a person thinks of a step's work; whichever server is free goes on with the run. Returns the exit code. */
export async function decideApproval(options: DecideOptions): Promise<number> {
  const { dag, runId: dagRunId, step, decision, input: inputs, reason, print } = options;
  const dagName = dag === undefined ? undefined : await resolveDagName(options, dag);
  const order = { dagName, dagRunId, step, decision, inputs, reason, by: operatorName() };
  const done = await withRunControl(options, (control) => control.decide(order));
  print(`${done.dagName} ${done.dagRunId}: ${step} ${words[decision]}${done.isResumed ? ', queued' : ''}`);
  return 0;
}
