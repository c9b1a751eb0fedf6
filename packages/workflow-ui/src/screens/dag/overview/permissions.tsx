import { Check, Lock } from 'lucide-react';
import type { ReactElement } from 'react';
import { useRefusal } from '../../../parts/use-refusal';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import styles from './overview.module.css';

/** The person's rights on the DAG, and the roles that the other actions need. */
export function Permissions(): ReactElement {
  const t = useDagMessages();
  const actions = [
    { name: t('dag.may.start'), refusal: useRefusal('executeDAG') },
    { name: t('dag.may.suspend'), refusal: useRefusal('updateDAGSuspensionState') },
    { name: t('dag.may.change'), refusal: useRefusal('updateDAGSpec') },
    { name: t('dag.may.delete'), refusal: useRefusal('deleteDAG') },
  ];
  return (
    <section aria-labelledby="dag-may" className={styles.section}>
      <h2 id="dag-may">{t('dag.may')}</h2>
      <ul className={styles.entries}>
        {actions.map(({ name, refusal }) => (
          <li key={name} className={styles.may}>
            {refusal === undefined ? <Check aria-hidden size={16} /> : <Lock aria-hidden size={16} />}
            <span>
              {name}
              {refusal === undefined ? null : <span className={styles.muted}> · {refusal}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
