import { Button, useToast } from '@weir/ui-kit';
import { useMemo, type ReactElement } from 'react';
import { useRefusal } from '../../../parts/use-refusal';
import type { RunAddress } from '../../../parts/run/run-address';
import { useRetryRun } from '../../../parts/run/run-actions-data';
import type { Run } from '../../../parts/run/run-data';
import { useRunButtonMessages } from '../../../parts/run-buttons/run-button-messages';
import { useRunMessages } from '../../../parts/run/run-messages';
import { planRetry } from '../rerun/rerun-plan';
import styles from './step-panel.module.css';

export interface RetryFromButtonProps {
  readonly address: RunAddress;
  readonly run: Run;
  readonly step: string;
}

/** Executes a step and all later ones again at once; the text beside it explains the effect on the others. */
export function RetryFromButton({ address, run, step }: RetryFromButtonProps): ReactElement {
  const t = useRunMessages();
  const ofButton = useRunButtonMessages();
  const toast = useToast();
  const { mutateAsync, isPending } = useRetryRun(address);
  const reason = useRefusal('retryDAGRun', run.workspace);
  const { runs, reused } = useMemo(() => planRetry(run.nodes, { scope: 'from-step', step }), [run.nodes, step]);
  // The button disappears as soon as the run is active again.
  const onError = ({ message }: Error): void => toast({ message, tone: 'failed' });
  const retry = (): void =>
    void mutateAsync({ stepName: step, includeDownstream: true }).then(
      () => toast({ message: ofButton('run.retried') }),
      onError,
    );
  return (
    <div className={styles.retryFrom}>
      <Button disabledReason={reason} isPending={isPending} onPress={retry}>
        {t('run.retryFrom')}
      </Button>
      <span className={styles.muted} title={t('run.retryFrom.plan.names', { names: runs.join(', ') })}>
        {t('run.retryFrom.plan', { count: runs.length, reused: reused.length })}
      </span>
    </div>
  );
}
