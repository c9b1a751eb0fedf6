import { IconButton, Tooltip } from '@weir/ui-kit';
import { ArrowDownToLine, ArrowUpToLine, ListX } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { useQueuesMessages } from './queues-messages';

interface WaitingRunActionsProps {
  readonly run: Schemas['DAGRunSummary'];
  readonly queue: string;
}

/** Changes the position of a waiting run, or removes it from its queue. */
export function WaitingRunActions({ run, queue }: WaitingRunActionsProps): ReactElement {
  const t = useQueuesMessages();
  const { name, dagRunId, workspace } = run;
  const move = (to: 'first' | 'last') => () =>
    unwrap(api.POST('/queues/{name}/items/move', { params: { path: { name: queue } }, body: { name, dagRunId, to } }));
  return (
    <>
      <RunAction
        workspace={workspace}
        operation="moveQueueItem"
        icon={<ArrowUpToLine aria-hidden size={16} />}
        label={t('queues.first', { id: dagRunId })}
        done={t('queues.moved', { id: dagRunId })}
        run={move('first')}
      />
      <RunAction
        workspace={workspace}
        operation="moveQueueItem"
        icon={<ArrowDownToLine aria-hidden size={16} />}
        label={t('queues.last', { id: dagRunId })}
        done={t('queues.moved', { id: dagRunId })}
        run={move('last')}
      />
      <RunAction
        workspace={workspace}
        operation="dequeueDAGRun"
        icon={<ListX aria-hidden size={16} />}
        label={t('queues.dequeue', { id: dagRunId })}
        done={t('queues.dequeued', { id: dagRunId })}
        run={() => unwrap(api.GET('/dag-runs/{name}/{dagRunId}/dequeue', { params: { path: { name, dagRunId } } }))}
      />
    </>
  );
}

interface RunActionProps {
  readonly workspace: string | undefined;
  readonly operation: string;
  readonly icon: ReactNode;
  readonly label: string;
  readonly done: string;
  readonly run: () => Promise<unknown>;
}

function RunAction({ workspace, operation, icon, label, done, run }: RunActionProps): ReactElement {
  const refusal = useRefusal(operation, workspace);
  const { mutate, isPending } = useAction({ run, done: () => done, changes: ['live', 'queue-items'] });
  return (
    <Tooltip text={label}>
      <IconButton icon={icon} label={label} isPending={isPending} disabledReason={refusal} onPress={() => mutate()} />
    </Tooltip>
  );
}
