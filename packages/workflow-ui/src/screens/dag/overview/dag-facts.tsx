import type { ReactElement, ReactNode } from 'react';
import type { Schemas } from '../../../api/client';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import styles from './overview.module.css';

/** The settings of the DAG in its file. */
export function DagFacts({ details }: { readonly details: Schemas['GetDAGDetailsResponse'] }): ReactElement {
  const t = useDagMessages();
  const { dag, filePath, errors } = details;
  const labels = dag?.labels ?? [];
  return (
    <section aria-labelledby="dag-facts" className={styles.section}>
      <h2 id="dag-facts">{t('dag.facts')}</h2>
      {errors.length === 0 ? null : (
        <ul className={styles.errors}>
          {errors.map((error) => (
            <li key={error}>{error}</li>
          ))}
        </ul>
      )}
      <dl className={styles.facts}>
        <Fact name={t('dag.facts.steps')}>{String(dag?.steps?.length ?? 0)}</Fact>
        <Fact name={t('dag.facts.params')}>{dag?.params?.join(', ')}</Fact>
        <Fact name={t('dag.facts.queue')}>{dag?.queue}</Fact>
        <Fact name={t('dag.facts.group')}>{dag?.group}</Fact>
        <Fact name={t('dag.facts.labels')}>
          {labels.length === 0 ? undefined : (
            <span className={styles.labels}>
              {labels.map((label) => (
                <span key={label} className={styles.label}>
                  {label}
                </span>
              ))}
            </span>
          )}
        </Fact>
        <Fact name={t('dag.facts.file')}>{filePath === undefined ? undefined : <code>{filePath}</code>}</Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement | null {
  if (children === undefined || children === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
