import { readHumanTask } from '@weir/workflow-contract';
import type { DagRunDetails, Node } from '@weir/workflow-contract/schemas';
import { nodeStatus, runStatus } from '@weir/workflow-engine/model';

/** Returns the command lines that let a waiting run continue; the list is empty for any other run. */
export function waitingCommands(run: DagRunDetails): readonly string[] {
  if (runStatus.isTerminal(run.statusLabel)) return [];
  return run.nodes
    .filter((node) => nodeStatus.isWaiting(node.statusLabel))
    .flatMap((node) => commandFor(run, node).map((line) => `continue with: ${line}`));
}

function commandFor({ name, dagRunId }: DagRunDetails, { step }: Node): readonly string[] {
  const task = readHumanTask(step.executorConfig);
  if (task !== undefined) {
    return [`weir human-task complete --run-id ${dagRunId} --step ${toWord(step.id ?? step.name)} ${toWord(name)}`];
  }
  if (step.approval === undefined) return [];
  return [`weir approval approve --run-id ${dagRunId} --step ${toWord(step.name)} ${toWord(name)}`];
}

/** Quotes a text so that a shell reads it as one word. */
function toWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
