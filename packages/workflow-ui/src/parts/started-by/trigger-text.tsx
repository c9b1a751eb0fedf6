import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { triggerOf } from './trigger-of';
import { useStartedBy, useStartedByMessages } from './use-started-by';
import styles from './trigger-text.module.css';

type Run = Pick<Schemas['DAGRunSummary'], 'startedBy' | 'triggerType'>;

/** What started a run, and who, in a cell. The whole sentence is its tip. */
export function TriggerText({ run }: { readonly run: Run }): ReactElement {
  const t = useStartedByMessages();
  const sayStartedBy = useStartedBy();
  const { trigger, name } = triggerOf(run);
  return (
    <span title={sayStartedBy(run)} className={styles.trigger}>
      {t(`startedBy.kind.${trigger}`)}
      {name === undefined ? null : <span className={styles.name}> {name}</span>}
    </span>
  );
}
