import { Button, TextAreaField, useToast } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { useRefusal } from '../../../parts/use-refusal';
import type { RunAddress } from '../../../parts/run/run-address';
import { useRetryRun } from '../../../parts/run/run-actions-data';
import type { Run } from '../../../parts/run/run-data';
import { useRunButtonMessages } from '../../../parts/run-buttons/run-button-messages';
import { useRunMessages } from '../../../parts/run/run-messages';
import messages from './bypass-messages.json';
import styles from './step-panel.module.css';

const useBypassMessages = defineMessages(messages);

export interface BypassPreconditionsProps {
  readonly address: RunAddress;
  readonly run: Run;
  readonly step: string;
}

/** Executes a step that was skipped although its preconditions do not hold; the reason is recorded. */
export function BypassPreconditions({ address, run, step }: BypassPreconditionsProps): ReactElement {
  const t = useRunMessages();
  const b = useBypassMessages();
  const ofButton = useRunButtonMessages();
  const toast = useToast();
  const { mutateAsync, isPending } = useRetryRun(address);
  const refusal = useRefusal('retryDAGRun', run.workspace);
  const [reason, setReason] = useState<string | undefined>();
  // The form disappears as soon as the run is active again.
  const onError = ({ message }: Error): void => toast({ message, tone: 'failed' });
  const retry = (text: string): void =>
    void mutateAsync({ stepName: step, includeDownstream: true, bypassPreconditions: text }).then(
      () => toast({ message: ofButton('run.retried') }),
      onError,
    );
  if (reason === undefined) {
    return (
      <div className={styles.retryFrom}>
        <Button disabledReason={refusal} onPress={() => setReason('')}>
          {b('run.bypass')}
        </Button>
      </div>
    );
  }
  return (
    <form className={styles.part} onSubmit={(event) => event.preventDefault()}>
      <TextAreaField
        label={b('run.bypass.reason')}
        description={b('run.bypass.hint')}
        rows={2}
        autoFocus
        value={reason}
        onChange={setReason}
      />
      <div className={styles.retryFrom}>
        <Button
          variant="primary"
          isDisabled={reason.trim() === ''}
          isPending={isPending}
          onPress={() => retry(reason.trim())}
        >
          {b('run.bypass.now')}
        </Button>
        <Button onPress={() => setReason(undefined)}>{t('run.cancel')}</Button>
      </div>
    </form>
  );
}
