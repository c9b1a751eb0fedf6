import type { DagRunDetails } from '@weir/workflow-contract/schemas';
import { nodeStatus } from '@weir/workflow-engine/model';
import { formatRun, formatStep, listSteps } from './follow-run';

/** A child run of a step, as the tree shows it. */
export interface TreeChild {
  /** The run that started the child run. */
  readonly parentId: string;
  readonly step: string;
  readonly run: DagRunDetails;
}

const maxChildren = 10;

/** Returns the lines of a run: its steps, and the child runs of each with their steps. */
export function formatRunTree(run: DagRunDetails, children: readonly TreeChild[]): readonly string[] {
  return [formatRun(run), ...branches(run, children)];
}

function branches(run: DagRunDetails, children: readonly TreeChild[]): readonly string[] {
  const steps = listSteps(run);
  return steps.flatMap(([label, node], index) => {
    const isLast = index === steps.length - 1;
    const ofStep = children.filter(({ parentId, step }) => parentId === run.dagRunId && step === node.step.name);
    const line = `${symbolOf(node.statusLabel)} ${formatStep(label, node).trim()}`;
    return [
      `${isLast ? '└─' : '├─'} ${line}`,
      ...childLines(ofStep, children, node.subRuns?.length ?? 0).map(indent(isLast)),
    ];
  });
}

/** When a loop has many items, runs that did not succeed are shown before the others. */
function childLines(ofStep: readonly TreeChild[], all: readonly TreeChild[], total: number): readonly string[] {
  const sorted = ofStep.toSorted((left, right) => rank(left) - rank(right));
  const shown = sorted.slice(0, maxChildren).flatMap(({ run }) => formatRunTree(run, all));
  return total > maxChildren ? [...shown, `… and ${total - maxChildren} more runs`] : shown;
}

const rank = ({ run }: TreeChild): number => (run.statusLabel === 'succeeded' ? 1 : 0);

const indent =
  (isLast: boolean) =>
  (line: string): string =>
    `${isLast ? '   ' : '│  '}${line}`;

type NodeStatus = Parameters<typeof nodeStatus.isActive>[0];

function symbolOf(status: NodeStatus): string {
  if (nodeStatus.isUnstarted(status)) return '○';
  if (nodeStatus.isActive(status)) return '●';
  if (nodeStatus.isSkipped(status)) return '–';
  return status === 'succeeded' || status === 'partially_succeeded' ? '✓' : '✗';
}
