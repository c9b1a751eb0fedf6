import { Link } from '@tanstack/react-router';
import { EmptyState, Panel, StatusShape } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { useLiveQuery } from '../../api/live-query';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { Age } from '../../parts/age';
import { failuresSource } from './home-data';
import { useHomeMessages } from './home-messages';
import styles from './home.module.css';

/** The last failures, with step and reason; each opens on the failed step. */
export function Failures(): ReactElement {
  const t = useHomeMessages();
  const scope = useWorkspaceScope();
  const query = useLiveQuery(failuresSource(scope));
  return (
    <Panel title={t('home.failures')}>
      <QueryPanel query={query}>
        {({ failures }) =>
          failures.length === 0 ? (
            <EmptyState title={t('home.failures.none.title')}>{t('home.failures.none')}</EmptyState>
          ) : (
            <ul className={styles.failures}>
              {failures.map((failure) => (
                <li key={`${failure.run.name}/${failure.run.dagRunId}`}>
                  <Failure {...failure} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryPanel>
    </Panel>
  );
}

function Failure({ run, step }: Schemas['RunFailure']): ReactElement {
  const t = useHomeMessages();
  const { name, dagRunId, finishedAt, error = '' } = run;
  const because = step?.lastLine ?? step?.error ?? error;
  return (
    <Link to="/dag-runs/$name/$runId" params={{ name, runId: dagRunId }} className={styles.failure}>
      <StatusShape kind="failed" />
      <span className={styles.what}>
        <span className={styles.name}>{name}</span>
        {step === undefined ? null : <span className={styles.step}>{step.name}</span>}
        {step?.exitCode === undefined ? null : (
          <span className={styles.muted}>{t('home.failures.exitCode', { code: step.exitCode })}</span>
        )}
      </span>
      <span className={styles.age}>{finishedAt === '' ? null : <Age value={finishedAt} />}</span>
      {because === '' ? null : (
        <code className={styles.line} title={because}>
          {because}
        </code>
      )}
    </Link>
  );
}
