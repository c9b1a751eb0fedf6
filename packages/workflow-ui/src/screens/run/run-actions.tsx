import { useNavigate } from '@tanstack/react-router';
import { IconButton, Menu, useToast, type MenuEntry } from '@weir/ui-kit';
import { Ellipsis, ListX, Trash2 } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { ConfirmAction } from '../../parts/confirm-action';
import { useRefusal } from '../../parts/use-refusal';
import type { RunAddress } from '../../parts/run/run-address';
import { isActive, type Run } from '../../parts/run/run-data';
import { deleteRun, useDequeueRun } from '../../parts/run/run-actions-data';
import { RetryButton, StopButton } from '../../parts/run-buttons/run-buttons';
import { RunNeighbours } from './run-neighbours';
import { RerunButton } from './rerun/rerun-button';
import { useRunMessages } from '../../parts/run/run-messages';

export interface RunActionsProps {
  readonly address: RunAddress;
  readonly run: Run;
}

/** The actions on the run in its present status. */
export function RunActions({ address, run }: RunActionsProps): ReactElement {
  const isChild = address.sub !== undefined;
  return (
    <>
      {isChild ? null : <RunNeighbours address={address} run={run} />}
      {isActive(run) && !isChild ? <StopButton address={address} run={run} /> : null}
      {isActive(run) || run.statusLabel === 'succeeded' ? null : <RetryButton address={address} run={run} />}
      {isActive(run) || isChild ? null : <RerunButton address={address} run={run} />}
      {isChild ? null : <MoreActions address={address} run={run} />}
    </>
  );
}

function MoreActions({ address, run }: RunActionsProps): ReactElement | null {
  const t = useRunMessages();
  const toast = useToast();
  const navigate = useNavigate();
  const dequeue = useDequeueRun(address);
  const mayNotDequeue = useRefusal('dequeueDAGRun', run.workspace);
  const mayNotDelete = useRefusal('deleteDAGRun', run.workspace);
  const [isAsking, setIsAsking] = useState(false);
  const onError = ({ message }: Error): void => toast({ message, tone: 'failed' });
  const entries: MenuEntry[] = [];
  if (run.statusLabel === 'queued') {
    entries.push({
      id: 'dequeue',
      label: withReason(t('run.dequeue'), mayNotDequeue),
      icon: <ListX aria-hidden size={16} />,
      isDisabled: mayNotDequeue !== undefined,
      onSelect: () => dequeue.mutate(undefined, { onError }),
    });
  }
  entries.push({
    id: 'delete',
    label: isActive(run) ? t('run.delete.active') : withReason(t('run.delete'), mayNotDelete),
    icon: <Trash2 aria-hidden size={16} />,
    isDisabled: mayNotDelete !== undefined || isActive(run),
    onSelect: () => setIsAsking(true),
  });
  return (
    <>
      <Menu
        label={t('run.more')}
        trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={t('run.more')} />}
        entries={entries}
      />
      {isAsking ? (
        <ConfirmAction
          title={t('run.delete.title')}
          message={t('run.delete.message', { name: run.name, id: run.dagRunId })}
          confirmLabel={t('run.delete')}
          run={() => deleteRun(address)}
          done={() => t('run.deleted', { name: run.name })}
          changes="everything"
          onDone={() => void navigate({ to: '/runs' })}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </>
  );
}

function withReason(label: string, reason: string | undefined): string {
  return reason === undefined ? label : `${label}. ${reason}`;
}
