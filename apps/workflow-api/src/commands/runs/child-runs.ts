import type { WorkflowClient } from '@weir/workflow-client';
import type { DagRunDetails, Node } from '@weir/workflow-contract/schemas';
import { nodeStatus, runStatus } from '@weir/workflow-engine/model';
import type { TreeChild } from './run-tree';

const maxChildrenRead = 20;

/** Returns the child runs below the requested nodes, at any depth; of a loop over many items, only those that started last. */
export async function readChildren(
  client: WorkflowClient,
  root: DagRunDetails,
  isAskedFor: (node: Node) => boolean = () => true,
): Promise<readonly TreeChild[]> {
  const found: TreeChild[] = [];
  const open: DagRunDetails[] = [root];
  for (const parent of open) {
    for (const { step, subRuns = [] } of parent.nodes.filter(isAskedFor)) {
      for (const { dagRunId: subDAGRunId } of subRuns.slice(-maxChildrenRead)) {
        const path = { name: root.name, dagRunId: root.dagRunId, subDAGRunId };
        const { data } = await client.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}', {
          params: { path },
        });
        found.push({ parentId: parent.dagRunId, step: step.name, run: data.dagRunDetails });
        open.push(data.dagRunDetails);
      }
    }
  }
  return found;
}

/** Returns the run and its child runs below steps that wait for a person; the list is empty for a run that has ended. */
export async function readWaitingRuns(
  client: () => WorkflowClient,
  run: DagRunDetails,
): Promise<readonly DagRunDetails[]> {
  if (runStatus.isTerminal(run.statusLabel)) return [];
  const children = await readChildren(client(), run, ({ statusLabel }) => nodeStatus.isWaiting(statusLabel));
  return [run, ...children.map((child) => child.run)].filter(({ statusLabel }) => !runStatus.isTerminal(statusLabel));
}
