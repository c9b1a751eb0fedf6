import { Skeleton, StatusShape } from '@weir/ui-kit';
import type { ReactElement, ReactNode } from 'react';
import { useAppMessages } from '../../../parts/text/app-messages';
import { useRerunMessages } from './rerun-messages';
import type { RerunForm } from './use-rerun-form';
import styles from './rerun-dialog.module.css';

/** The plan for each step. */
export function PlanList({ form: { plan, errors, spec } }: { readonly form: RerunForm }): ReactElement {
  const r = useRerunMessages();
  const app = useAppMessages();
  if (errors.length > 0) {
    return spec === 'edited' ? <></> : <p className={styles.error}>{errors.join('\n')}</p>;
  }
  if (plan === undefined) return <Skeleton label={app('app.loading')} rows={3} />;
  const { runs, reused, forced } = plan;
  return (
    <section aria-label={r('run.rerun.preview')} aria-live="polite" className={styles.plan}>
      <PlanPart title={r('run.rerun.runs', { count: runs.length })} names={runs}>
        <StatusShape kind="running" size={14} />
      </PlanPart>
      <PlanPart title={r('run.rerun.reused', { count: reused.length })} names={reused}>
        <StatusShape kind="succeeded" size={14} />
      </PlanPart>
      {forced.length === 0 ? null : (
        <div className={styles.part}>
          <h3>{r('run.rerun.forced', { count: forced.length })}</h3>
          <ul>
            {forced.map(({ name, reason }) => (
              <li key={name}>
                <span>
                  <strong>{name}</strong> <span className={styles.muted}>{reason}</span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

interface PlanPartProps {
  readonly title: string;
  readonly names: readonly string[];
  /** The shape before each name. */
  readonly children: ReactNode;
}

function PlanPart({ title, names, children }: PlanPartProps): ReactElement {
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      <ul>
        {names.map((name) => (
          <li key={name}>
            {children}
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}
