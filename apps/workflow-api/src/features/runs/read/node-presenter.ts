import { readHumanTask } from '@weir/workflow-contract';
import type { Node as WireNode } from '@weir/workflow-contract/schemas';
import { nodeStatus, nodeKey, type AgentMemo, type DagRunStep, type DagRunSummary } from '@weir/workflow-engine/model';
import type { Step } from '@weir/workflow-spec';
import { presentAgent } from './agent-presenter';
import { presentModelUse, type ModelPrice } from './model-prices';
import { wireName } from './outputs-presenter';
import { rfc3339 } from './rfc3339';
import { presentAction, presentStep } from './step-presenter';

export interface NodeSurroundings {
  /** The child runs of the same run. */
  readonly children: readonly DagRunSummary[];
  readonly prices: readonly ModelPrice[];
  /** What is stored of the agent of the run. */
  readonly agent?: AgentMemo | undefined;
}

export function presentNode(
  step: DagRunStep,
  specStep: Step | undefined,
  { children, prices, agent }: NodeSurroundings,
): WireNode {
  const key = nodeKey(step);
  const own = children.filter(({ parentNode }) => parentNode === key || parentNode?.startsWith(`${key}/`) === true);
  return {
    ...toPendingNode(specStep === undefined ? { name: step.name } : presentStep(specStep), step.status),
    stdout: step.stdoutFile,
    stderr: step.stderrFile,
    startedAt: timeOrEmpty(step.startedAt),
    finishedAt: timeOrEmpty(step.finishedAt),
    retryCount: step.retryCount,
    doneCount: step.doneCount,
    subRuns: own.map(({ dagRunId, dagName, params }) => ({ dagRunId, dagName, ...(params === '' ? {} : { params }) })),
    ...(step.exitCode === null ? {} : { exitCode: step.exitCode }),
    ...(step.error === null ? {} : { error: step.error }),
    ...(step.build === null ? {} : { build: step.build }),
    ...(step.modelUse === null ? {} : { modelUse: presentModelUse(step.modelUse, prices) }),
    ...(agent === undefined || specStep?.run.kind !== 'agent' ? {} : { agent: presentAgent(agent, step) }),
    ...presentDecisions(step, specStep),
  };
}

export function toPendingNode(
  step: WireNode['step'],
  status: DagRunStep['status'],
): Omit<WireNode, 'stdout' | 'stderr'> {
  return {
    step,
    startedAt: '',
    finishedAt: '',
    status: nodeStatus.toNumber(status),
    statusLabel: status,
    retryCount: 0,
    doneCount: 0,
    subRuns: [],
    subRunsRepeated: [],
  };
}

export function timeOrEmpty(time: Date | null): string {
  return time === null ? '' : rfc3339(time);
}

function presentDecisions({ decisions, iteration }: DagRunStep, specStep: Step | undefined): Partial<WireNode> {
  const { approvedAt, approvedBy, inputs, rejectedAt, rejectedBy, reason, pushBacks = [], bypass } = decisions ?? {};
  const isTask = specStep !== undefined && readHumanTask(presentAction(specStep)) !== undefined;
  const last = pushBacks.at(-1);
  return {
    ...(isTask && approvedBy !== undefined ? { humanTaskCompletedBy: approvedBy } : {}),
    ...(!isTask && approvedAt !== undefined ? { approvedAt } : {}),
    ...(!isTask && approvedBy !== undefined ? { approvedBy } : {}),
    ...(inputs === undefined ? {} : { approvalInputs: namedTexts(inputs) }),
    ...(rejectedAt === undefined ? {} : { rejectedAt }),
    ...(rejectedBy === undefined ? {} : { rejectedBy }),
    ...(reason === undefined ? {} : { rejectionReason: reason }),
    ...(bypass === undefined ? {} : { preconditionsBypassed: { ...bypass } }),
    ...(last === undefined ? {} : { approvalIteration: iteration, pushBackInputs: namedTexts(last.inputs) }),
    ...(last === undefined ? {} : { pushBackHistory: pushBacks.map((each) => ({ ...each })) }),
  };
}

function namedTexts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      wireName(name),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
