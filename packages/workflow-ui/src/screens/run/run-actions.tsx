import { useNavigate } from '@tanstack/react-router';
import { Button, IconButton, Menu, useToast, type MenuEntry } from '@weir/ui-kit';
import { Ellipsis, ListX, RotateCcw, Square, Trash2 } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { ConfirmAction } from '../../parts/confirm-action';
import { useRefusal } from '../../parts/use-refusal';
import type { RunAddress } from './run-address';
import { isActive, type Run } from './run-data';
import { deleteRun, stopRun, useDequeueRun, useRetryRun } from './run-actions-data';
import { RerunButton } from './rerun/rerun-button';
import { useRunMessages } from './run-messages';

export interface RunActionsProps {
  readonly address: RunAddress;
  readonly run: Run;
}

/** What can be done with the run as it stands. */
export function RunActions({ address, run }: RunActionsProps): ReactElement {
  const isChild = address.sub !== undefined;
  return (
    <>
      {isActive(run) && !isChild ? <StopButton address={address} run={run} /> : null}
      {isActive(run) || run.statusLabel === 'succeeded' ? null : <RetryButton address={address} run={run} />}
      {isActive(run) || isChild ? null : <RerunButton address={address} run={run} />}
      {isChild ? null : <MoreActions address={address} run={run} />}
    </>
  );
}

function StopButton({ address, run }: RunActionsProps): ReactElement {
  const t = useRunMessages();
  const reason = useRefusal('terminateDAGRun', run.workspace);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        disabledReason={reason ?? (run.stopRequested === true ? t('run.stopping') : undefined)}
        onPress={() => setIsAsking(true)}
      >
        <Square aria-hidden size={14} />
        {t('run.stop')}
      </Button>
      {isAsking ? (
        <ConfirmAction
          title={t('run.stop.title')}
          message={t('run.stop.message', { name: run.name, id: run.dagRunId })}
          confirmLabel={t('run.stop')}
          run={() => stopRun(address)}
          changes="everything"
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </>
  );
}

function RetryButton({ address, run }: RunActionsProps): ReactElement {
  const t = useRunMessages();
  const toast = useToast();
  const { mutateAsync, isPending } = useRetryRun(address);
  const reason = useRefusal('retryDAGRun', run.workspace);
  // The button is gone as soon as the run is active again.
  const onError = ({ message }: Error): void => toast({ message, tone: 'failed' });
  const retry = (): void => void mutateAsync({}).then(() => toast({ message: t('run.retried') }), onError);
  return (
    <Button variant="primary" disabledReason={reason} isPending={isPending} onPress={retry}>
      <RotateCcw aria-hidden size={14} />
      {t('run.retry')}
    </Button>
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
