import { Link } from '@tanstack/react-router';
import { Panel } from '@weir/ui-kit';
import { QueryPanel, Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { useLiveQuery } from '../../api/live-query';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { Until } from '../../parts/age';
import { dueDagsSource } from './home-data';
import { useHomeMessages } from './home-messages';
import styles from './home.module.css';

/** The next scheduled starts. */
export function DueDags(): ReactElement {
  const t = useHomeMessages();
  const scope = useWorkspaceScope();
  const query = useLiveQuery(dueDagsSource(scope));
  return (
    <Panel title={t('home.due')} actions={<Link to="/calendar">{t('home.due.calendar')}</Link>}>
      <QueryPanel query={query}>{({ dags }) => <DueList dags={dags} />}</QueryPanel>
    </Panel>
  );
}

function DueList({ dags }: { readonly dags: readonly Schemas['DAGFile'][] }): ReactElement {
  const t = useHomeMessages();
  const due = dags.filter(({ nextRun }) => nextRun !== undefined);
  if (due.length === 0) return <p className={styles.muted}>{t('home.due.none')}</p>;
  return (
    <ul className={styles.due}>
      {due.map(({ fileName, dag, nextRun = '' }) => (
        <li key={fileName}>
          <Link to="/dags/$fileName" params={{ fileName }} search={{ tab: 'schedule' }} className={styles.name}>
            {dag.name === '' ? fileName : dag.name}
          </Link>
          <span className={styles.muted}>
            <Until value={nextRun} /> · <Time value={nextRun} />
          </span>
        </li>
      ))}
    </ul>
  );
}
