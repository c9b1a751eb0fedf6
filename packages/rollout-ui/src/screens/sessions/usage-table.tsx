import { Link } from '@tanstack/react-router';
import type { ModelUsage, TaskSummary } from '@weir/rollout-contract';
import { Table, type TableColumn } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { usePartsMessages } from '../../parts/parts-messages';
import { useUsageColumns } from '../../parts/usage-columns';
import { useSessionsMessages } from './sessions-messages';
import styles from './sessions.module.css';

interface TaskUsage extends ModelUsage {
  readonly task: string;
}

/** What each model has read and sampled for each task, the latest task first. */
export function UsageTable({ tasks }: { readonly tasks: readonly TaskSummary[] }): ReactElement {
  const t = useSessionsMessages();
  const parts = usePartsMessages();
  const rows = tasks.flatMap(({ task_id: task, models }) => models.map((usage): TaskUsage => ({ ...usage, task })));
  const columns: readonly TableColumn<TaskUsage>[] = [
    {
      id: 'task',
      name: t('sessions.task'),
      isRowHeader: true,
      width: 'grow',
      render: ({ task }) =>
        task === '' ? (
          <span className={styles.muted}>–</span>
        ) : (
          <Link to="/tasks/$taskId" params={{ taskId: task }}>
            {task}
          </Link>
        ),
    },
    { id: 'model', name: parts('parts.usage.model'), render: ({ model }) => model },
    ...useUsageColumns(rows),
  ];
  return (
    <Table
      label={t('sessions.usage')}
      items={rows}
      getId={({ task, model }) => `${task}\n${model}`}
      columns={columns}
    />
  );
}
