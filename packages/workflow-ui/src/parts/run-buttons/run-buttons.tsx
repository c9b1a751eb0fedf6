import { Button, IconButton, Tooltip, useToast } from '@weir/ui-kit';
import { CircleStop, RotateCcw, type LucideIcon } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { ConfirmAction } from '../confirm-action';
import { useRefusal } from '../use-refusal';
import type { RunAddress } from '../run/run-address';
import { stopRun, useRetryRun } from '../run/run-actions-data';
import { useRunButtonMessages } from './run-button-messages';

export interface RunButtonProps {
  readonly address: RunAddress;
  readonly run: Pick<Schemas['DAGRunSummary'], 'name' | 'dagRunId' | 'workspace' | 'stopRequested'>;
  /** Whether only the icon is shown, in a row. */
  readonly isShort?: boolean;
}

/** Stops the run after a question. */
export function StopButton({ address, run, isShort = false }: RunButtonProps): ReactElement {
  const t = useRunButtonMessages();
  const reason = useRefusal('terminateDAGRun', run.workspace);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <ActionButton
        icon={CircleStop}
        text={t('run.stop')}
        label={isShort ? t('run.stop.of', { name: run.name }) : undefined}
        disabledReason={reason ?? (run.stopRequested === true ? t('run.stopping') : undefined)}
        onPress={() => setIsAsking(true)}
      />
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

/** Executes the unsuccessful steps again at once. */
export function RetryButton({ address, run, isShort = false }: RunButtonProps): ReactElement {
  const t = useRunButtonMessages();
  const toast = useToast();
  const { mutateAsync, isPending } = useRetryRun(address);
  const reason = useRefusal('retryDAGRun', run.workspace);
  // The button disappears as soon as the run is active again.
  const onError = ({ message }: Error): void => toast({ message, tone: 'failed' });
  const retry = (): void => void mutateAsync({}).then(() => toast({ message: t('run.retried') }), onError);
  return (
    <ActionButton
      icon={RotateCcw}
      text={t('run.retry')}
      label={isShort ? t('run.retry.of', { name: run.name }) : undefined}
      isPrimary
      shortcut="r"
      disabledReason={reason}
      isPending={isPending}
      onPress={retry}
    />
  );
}

interface ActionButtonProps {
  readonly icon: LucideIcon;
  readonly text: string;
  /** When given, only the icon is shown. */
  readonly label: string | undefined;
  readonly isPrimary?: boolean;
  readonly shortcut?: string;
  readonly disabledReason: string | undefined;
  readonly isPending?: boolean;
  readonly onPress: () => void;
}

function ActionButton({ icon: Icon, text, label, isPrimary = false, ...common }: ActionButtonProps): ReactElement {
  if (label === undefined) {
    return (
      <Button variant={isPrimary ? 'primary' : 'plain'} {...common}>
        <Icon aria-hidden size={14} />
        {text}
      </Button>
    );
  }
  return (
    <Tooltip text={label}>
      <IconButton icon={<Icon aria-hidden size={16} />} label={label} {...common} />
    </Tooltip>
  );
}
