import { Link, useNavigate } from '@tanstack/react-router';
import type { TaskSummary } from '@weir/rollout-contract';
import { Table, type TableColumn } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { formatCount, formatReward } from '../../parts/format-number';
import { Doubts, Reward } from '../../parts/session-facts';
import { useSessionsMessages } from './sessions-messages';
import styles from './sessions.module.css';

/** Tasks with their sessions together, the latest first. */
export function TaskTable({ tasks }: { readonly tasks: readonly TaskSummary[] }): ReactElement {
  const t = useSessionsMessages();
  const navigate = useNavigate();
  const columns: readonly TableColumn<TaskSummary>[] = [
    {
      id: 'task',
      name: t('sessions.task'),
      isRowHeader: true,
      width: 'grow',
      render: ({ task_id: id }) =>
        id === '' ? <span className={styles.muted}>–</span> : <Link {...toTask(id)}>{id}</Link>,
    },
    {
      id: 'doubts',
      name: t('sessions.doubts'),
      render: ({ quarantined_count }) => <Doubts quarantined_count={quarantined_count} mismatch_count={0} />,
    },
    { id: 'samples', name: t('sessions.samples'), align: 'end', render: (task) => formatCount(task.sessions) },
    {
      id: 'rewarded',
      name: t('sessions.rewarded'),
      align: 'end',
      render: (task) => `${formatCount(task.rewarded)} / ${formatCount(task.sessions)}`,
    },
    { id: 'mean', name: t('sessions.mean'), align: 'end', render: (task) => <Reward reward={task.reward_mean} /> },
    { id: 'spread', name: t('sessions.spread'), align: 'end', render: (task) => <Spread task={task} /> },
    { id: 'tokens', name: t('sessions.tokens'), align: 'end', render: (task) => formatCount(task.sampled_tokens) },
    { id: 'used', name: t('sessions.used'), align: 'end', render: (task) => <Time value={task.last_used_at} /> },
  ];
  return (
    <Table
      label={t('sessions.title')}
      items={tasks}
      getId={({ task_id: id }) => id}
      columns={columns}
      onOpen={({ task_id: id }) => {
        if (id !== '') void navigate(toTask(id));
      }}
    />
  );
}

const toTask = (taskId: string) => ({ to: '/tasks/$taskId', params: { taskId } }) as const;

function Spread({ task }: { readonly task: TaskSummary }): ReactElement | null {
  const t = useSessionsMessages();
  const { reward_min: min, reward_max: max, rewarded } = task;
  if (min === null || max === null || rewarded < 2) return null;
  if (min === max) return <span className={styles.muted}>{t('sessions.zero')}</span>;
  return <>{`${formatReward(min)} … ${formatReward(max)}`}</>;
}
