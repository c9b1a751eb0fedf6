import { useNavigate } from '@tanstack/react-router';
import { Button, Dialog, useToast } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useAppMessages } from '../../../parts/text/app-messages';
import { useRefusal } from '../../../parts/use-refusal';
import type { RunAddress } from '../../../parts/run/run-address';
import type { Run } from '../../../parts/run/run-data';
import { useRunButtonMessages } from '../../../parts/run-buttons/run-button-messages';
import { useRunMessages } from '../../../parts/run/run-messages';
import { PlanList } from './plan-list';
import { RerunChoices } from './rerun-choices';
import { useRerun, type RerunRequest } from './rerun-data';
import { useRerunMessages } from './rerun-messages';
import { useRerunForm } from './use-rerun-form';
import styles from './rerun-dialog.module.css';

export interface RerunDialogProps {
  readonly address: RunAddress;
  readonly run: Run;
  readonly onClose: () => void;
}

const operations: Readonly<Record<RerunRequest['kind'], string>> = {
  retry: 'retryDAGRun',
  reschedule: 'rescheduleDAGRun',
  edited: 'editRetryDAGRun',
  start: 'executeDAG',
  'start-spec': 'executeDAGRunFromSpec',
};

/** Executes a run again: with chosen steps, spec and parameters, and a plan for each step. */
export function RerunDialog({ address, run, onClose }: RerunDialogProps): ReactElement {
  const t = useRunMessages();
  const r = useRerunMessages();
  const ofButton = useRunButtonMessages();
  const app = useAppMessages();
  const toast = useToast();
  const navigate = useNavigate();
  const form = useRerunForm({ address, run });
  const { mutateAsync, isPending, error } = useRerun(address, run);
  const { request } = form;
  const refusal = useRefusal(request === undefined ? 'retryDAGRun' : operations[request.kind], run.workspace);
  const submit = (): void => {
    if (request === undefined) return;
    // The run is active again before the answer arrives, and the button with this dialog is removed.
    mutateAsync(request).then(
      (runId) => {
        onClose();
        toast({ message: runId === address.runId ? ofButton('run.retried') : r('run.rerun.started') });
        void navigate({ to: '/dag-runs/$name/$runId', params: { name: run.name, runId } });
      },
      () => undefined,
    );
  };
  return (
    <Dialog
      title={r('run.rerun.title', { name: run.name })}
      isOpen
      isWide
      onClose={onClose}
      closeLabel={app('app.close')}
      actions={
        <>
          <Button onPress={onClose}>{t('run.cancel')}</Button>
          <Button
            variant="primary"
            disabledReason={refusal}
            isDisabled={request === undefined}
            isPending={isPending}
            onPress={submit}
          >
            {r(request?.kind === 'retry' ? 'run.rerun.sameRun' : 'run.rerun.newRun')}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <RerunChoices form={form} run={run} />
        <PlanList form={form} />
        {error === null ? null : (
          <p role="alert" className={styles.error}>
            {error.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}
