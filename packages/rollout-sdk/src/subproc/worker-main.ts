// A process that runs agents, one at a time. It ends with its parent.
import { toError } from '@weir/foundation';
import { importPath } from '../workflow/import-path';
import { isAgent, isClassWith } from '../episode/workflow';
import { endWithParent } from './end-with-parent';
import type { WorkerAnswer, WorkerTask } from './worker-messages';

async function runTask(task: WorkerTask): Promise<unknown> {
  Object.assign(process.env, task.env);
  const exported = await importPath(task.importPath);
  const agent = isClassWith(exported, 'run') ? new exported(task.kwargs) : exported;
  if (!isAgent(agent)) throw new TypeError(`"${task.importPath}" names no agent.`);
  return agent.run(task.data, { sampleIndex: task.sampleIndex });
}

function answer(message: WorkerAnswer): void {
  process.send?.(message);
}

endWithParent();
process.on('message', (task: WorkerTask) => {
  runTask(task).then(
    (value) => {
      try {
        answer({ kind: 'returned', value });
      } catch (error) {
        answer({ kind: 'failed', reason: 'not_serializable', message: toError(error).message });
      }
    },
    (error: unknown) =>
      answer({ kind: 'failed', reason: 'agent_failed', message: toError(error).stack ?? String(error) }),
  );
});
process.on('disconnect', () => process.exit());
