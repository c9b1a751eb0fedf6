import { useQuery } from '@tanstack/react-query';
import { Button, Dialog, TextField, useToast } from '@weir/ui-kit';
import { QueryPanel, useFailureProps } from '@weir/ui-kit/app';
import { useMemo, useState, type ReactElement } from 'react';
import { useAppMessages } from '../../../parts/text/app-messages';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { previewQuery, useStartBackfill, type BackfillRange } from './backfill-data';
import { BackfillPreview } from './backfill-preview';
import styles from './backfill.module.css';

export interface BackfillDialogProps {
  readonly fileName: string;
  readonly onClose: () => void;
}

/** Asks for a range, and shows the runs before any is started. */
export function BackfillDialog({ fileName, onClose }: BackfillDialogProps): ReactElement {
  const t = useDagMessages();
  const app = useAppMessages();
  const toast = useToast();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [maxActive, setMaxActive] = useState('1');
  const range = useMemo(() => toRange(from, to), [from, to]);
  const preview = useQuery(previewQuery(fileName, range));
  const start = useStartBackfill(fileName);
  const failure = useFailureProps(start.error);
  const atOnce = Number(maxActive);
  const isCountable = Number.isInteger(atOnce) && atOnce >= 1 && atOnce <= 100;
  const count = range === undefined ? 0 : (preview.data?.total ?? 0) - (preview.data?.existing ?? 0);
  const isReady = range !== undefined && isCountable && count > 0 && preview.data?.isAllowed === true;
  const submit = (): void => {
    if (range === undefined) return;
    const body = { from: range.from.toISOString(), to: range.to.toISOString(), maxActive: atOnce };
    start.mutate(body, {
      onSuccess: ({ total }) => {
        onClose();
        toast({ message: t('dag.backfill.started', { count: total }) });
      },
    });
  };
  return (
    <Dialog
      title={t('dag.backfill.title', { name: fileName })}
      isOpen
      onClose={onClose}
      closeLabel={app('app.close')}
      actions={
        <>
          <Button onPress={onClose}>{t('dag.cancel')}</Button>
          <Button variant="primary" isPending={start.isPending} isDisabled={!isReady} onPress={submit}>
            {t('dag.backfill.start', { count })}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p className={styles.muted}>{t('dag.backfill.text')}</p>
        <RangeFields {...{ from, to, onFrom: setFrom, onTo: setTo }} />
        <TextField
          type="number"
          label={t('dag.backfill.atOnce')}
          value={maxActive}
          onChange={setMaxActive}
          error={isCountable ? undefined : t('dag.backfill.atOnce.rule')}
        />
        {start.error === null ? null : <p className={styles.failed}>{failure.message}</p>}
        {range === undefined ? (
          <p className={styles.muted}>{t('dag.backfill.choose')}</p>
        ) : (
          <QueryPanel query={preview}>{(found) => <BackfillPreview preview={found} />}</QueryPanel>
        )}
      </div>
    </Dialog>
  );
}

interface RangeFieldsProps {
  readonly from: string;
  readonly to: string;
  readonly onFrom: (from: string) => void;
  readonly onTo: (to: string) => void;
}

function RangeFields({ from, to, onFrom, onTo }: RangeFieldsProps): ReactElement {
  const t = useDagMessages();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div className={styles.range}>
      <TextField type="datetime-local" label={t('dag.backfill.from', { zone })} value={from} onChange={onFrom} />
      <TextField type="datetime-local" label={t('dag.backfill.to', { zone })} value={to} onChange={onTo} />
    </div>
  );
}

/** The fields use the times of the browser. */
function toRange(from: string, to: string): BackfillRange | undefined {
  const range = { from: new Date(from), to: new Date(to) };
  const isRange = range.from.getTime() <= range.to.getTime();
  return isRange ? range : undefined;
}
