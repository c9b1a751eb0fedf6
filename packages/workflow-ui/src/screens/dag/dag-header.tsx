import { Link } from '@tanstack/react-router';
import { iconLinkClass } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import { ScrollText } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { RunStatus } from '../../parts/run-status';
import { ScreenHeader } from '../../parts/screen-header';
import { StartButton } from '../../parts/start/start-button';
import { DagMenu } from './actions/dag-menu';
import { useDagMessages } from '../../parts/dag/dag-messages';
import styles from './dag.module.css';

export interface DagHeaderProps {
  readonly fileName: string;
  /** Missing until it is read, or where the DAG does not exist. */
  readonly details: Schemas['GetDAGDetailsResponse'] | undefined;
}

/** The name of a DAG, the result of its last run, and its actions. */
export function DagHeader({ fileName, details }: DagHeaderProps): ReactElement {
  const t = useDagMessages();
  const run = details?.latestDAGRun;
  return (
    <>
      <ScreenHeader title={details?.dag?.name ?? fileName}>
        {run === undefined || run.dagRunId === '' ? null : (
          <Link
            to="/dag-runs/$name/$runId"
            params={{ name: run.name, runId: run.dagRunId }}
            title={t('dag.lastRun')}
            data-shortcut="["
            aria-keyshortcuts="["
            className={styles.lastRun}
          >
            <RunStatus status={run.statusLabel} />
            <Time value={run.startedAt} />
          </Link>
        )}
        {run === undefined || run.startedAt === '' ? null : (
          <Link
            to="/dag-runs/$name/$runId"
            params={{ name: run.name, runId: run.dagRunId }}
            search={{ tab: 'log' }}
            aria-label={t('dag.lastRun.log')}
            title={t('dag.lastRun.log')}
            data-shortcut="l"
            aria-keyshortcuts="l"
            className={iconLinkClass}
          >
            <ScrollText aria-hidden size={16} />
          </Link>
        )}
        {details === undefined ? null : (
          <>
            <StartButton
              isLarge
              {...{ fileName, name: details.dag?.name ?? fileName, workspace: workspaceOf(details) }}
              hasParams={(details.dag?.params?.length ?? 0) > 0}
              isBroken={details.errors.length > 0}
            />
            <DagMenu fileName={fileName} />
          </>
        )}
      </ScreenHeader>
      {details?.dag?.description === undefined || details.dag.description === '' ? null : (
        <p className={styles.description}>{details.dag.description}</p>
      )}
    </>
  );
}

const workspaceLabel = 'workspace=';

function workspaceOf({ dag }: Schemas['GetDAGDetailsResponse']): string | undefined {
  return dag?.labels?.find((label) => label.startsWith(workspaceLabel))?.slice(workspaceLabel.length);
}
