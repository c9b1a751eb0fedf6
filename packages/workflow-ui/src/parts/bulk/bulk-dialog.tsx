import { Button, Dialog } from '@weir/ui-kit';
import { useSentence } from '@weir/ui-kit/app';
import type { ReactElement, ReactNode } from 'react';
import { useAppMessages } from '../text/app-messages';
import { useBulkMessages } from './bulk-messages';
import type { BulkItem } from './bulk-stream';
import { useBulk, type Bulk, type SendBulk } from './use-bulk';
import styles from './bulk.module.css';

export interface BulkDialogProps<Item extends BulkItem> {
  readonly title: string;
  readonly send: SendBulk;
  readonly getId: (item: Item) => string;
  readonly renderName: (item: Item) => ReactNode;
  /** The label of the button, with the number of changes. */
  readonly confirmLabel: (count: number) => string;
  /** Whether it cannot be undone. */
  readonly isDanger?: boolean;
  readonly onClose: () => void;
}

/** Shows what an action would do to each of many items, and, after its confirmation, the result for each. */
export function BulkDialog<Item extends BulkItem>(props: BulkDialogProps<Item>): ReactElement {
  const { title, send, getId, renderName, confirmLabel, isDanger = false, onClose } = props;
  const t = useBulkMessages();
  const app = useAppMessages();
  const bulk = useBulk<Item>(send);
  const { step, items, end, change, stop } = bulk;
  const possible = end?.possible ?? 0;
  const problem = useSentence(bulk.error);
  const actions = {
    checking: <Button onPress={onClose}>{app('app.cancel')}</Button>,
    checked: (
      <>
        <Button onPress={onClose}>{app('app.cancel')}</Button>
        <Button variant={isDanger ? 'danger' : 'primary'} isDisabled={possible === 0} onPress={change}>
          {confirmLabel(possible)}
        </Button>
      </>
    ),
    changing: <Button onPress={stop}>{t('bulk.stop')}</Button>,
    changed: (
      <Button variant="primary" onPress={onClose}>
        {app('app.close')}
      </Button>
    ),
  };
  return (
    <Dialog title={title} isOpen isWide onClose={onClose} closeLabel={app('app.close')} actions={actions[step]}>
      <div role="status" className={styles.summary}>
        <Summary bulk={bulk} />
        {end?.hasMore === true ? <p>{t('bulk.more', { total: end.total })}</p> : null}
      </div>
      {problem === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {items.length === 0 ? null : (
        <ul aria-label={t('bulk.results')} tabIndex={0} className={styles.results}>
          {items.map((item) => (
            <li key={getId(item)} data-outcome={item.outcome}>
              <span className={styles.name}>{renderName(item)}</span>
              <span className={styles.outcome}>
                {t(`bulk.outcome.${item.outcome}`)}
                {item.message === undefined ? null : `: ${item.message}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Summary<Item>({
  bulk: { step, items, end, planned, error },
}: {
  readonly bulk: Bulk<Item>;
}): ReactElement | null {
  const t = useBulkMessages();
  const { length: count } = items;
  if (error !== null) return null;
  switch (step) {
    case 'checking':
      return <p>{t('bulk.checking', { count })}</p>;
    case 'checked':
      return <p>{t('bulk.checked', { possible: end?.possible ?? 0, refused: end?.refused ?? 0 })}</p>;
    case 'changing':
      return <p>{t('bulk.changing', { count, total: planned })}</p>;
    case 'changed':
      return end === undefined ? (
        <p>{t('bulk.stopped')}</p>
      ) : (
        <p>{t('bulk.changed', { done: end.done, refused: end.refused })}</p>
      );
  }
}
