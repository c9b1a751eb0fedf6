import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { triggerOf } from './trigger-of';
import { useStartedBy, useStartedByMessages } from './use-started-by';
import styles from './trigger-text.module.css';

type Run = Pick<Schemas['DAGRunSummary'], 'startedBy' | 'triggerType'>;

/** The trigger of a run, and its name, in a cell. The tooltip has the whole sentence. */
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
