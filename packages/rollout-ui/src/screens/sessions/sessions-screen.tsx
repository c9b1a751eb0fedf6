import { useQuery } from '@tanstack/react-query';
import type { TaskSummary } from '@weir/rollout-contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button, EmptyState, SelectField, ToggleButton } from '@weir/ui-kit';
import { FilterField, QueryPanel, ScreenHeader } from '@weir/ui-kit/app';
import { useCallback, type ReactElement } from 'react';
import { sessionsQuery, tasksQuery } from '../../api/queries';
import { usePartsMessages } from '../../parts/parts-messages';
import { sessionStates, type SessionsSearch } from './search';
import { SessionTable } from './session-table';
import { useSessionsMessages } from './sessions-messages';
import { TaskTable } from './task-table';
import { UsageTable } from './usage-table';
import styles from './sessions.module.css';

/** All sessions, live, or their tasks. The filters and the page are in the address. */
export function SessionsScreen(): ReactElement {
  const t = useSessionsMessages();
  const navigate = useNavigate({ from: '/' });
  const search = useSearch({ from: '/' });
  const show = useCallback((next: SessionsSearch): void => void navigate({ search: next }), [navigate]);
  const { cursor: _cursor, ...filters } = search;
  const { text: _text, ...withoutText } = filters;
  const { group: _group, ...withoutGroup } = filters;
  const groupBy = (group: 'task' | 'model') => (isSelected: boolean) =>
    show(isSelected ? { ...withoutGroup, group } : withoutGroup);
  const isGrouped = search.group !== undefined;
  return (
    <>
      <ScreenHeader title={t('sessions.title')}>
        <ToggleButton isSelected={search.group === 'task'} onChange={groupBy('task')}>
          {t('sessions.group')}
        </ToggleButton>
        <ToggleButton isSelected={search.group === 'model'} onChange={groupBy('model')}>
          {t('sessions.usage')}
        </ToggleButton>
        {isGrouped ? null : <StateFilter filters={filters} onChange={show} />}
        <FilterField
          label={t('sessions.filter')}
          value={search.text ?? ''}
          onChange={(text) => show(text === '' ? withoutText : { ...withoutText, text })}
        />
      </ScreenHeader>
      {isGrouped ? <Tasks search={search} onShow={show} /> : <Sessions search={search} onShow={show} />}
    </>
  );
}

interface ListProps {
  readonly search: SessionsSearch;
  readonly onShow: (search: SessionsSearch) => void;
}

function Sessions({ search, onShow }: ListProps): ReactElement {
  const query = useQuery(sessionsQuery(search));
  return (
    <QueryPanel query={query}>
      {({ sessions, next_cursor: next }) => (
        <>
          {sessions.length === 0 ? <Nothing search={search} onShow={onShow} /> : <SessionTable sessions={sessions} />}
          <Pager next={next} search={search} onShow={onShow} />
        </>
      )}
    </QueryPanel>
  );
}

function Tasks({ search, onShow }: ListProps): ReactElement {
  const query = useQuery(tasksQuery({ text: search.text, cursor: search.cursor }));
  return (
    <QueryPanel query={query}>
      {({ tasks, next_cursor: next }) => (
        <>
          {tasks.length === 0 ? <Nothing search={search} onShow={onShow} /> : <Grouped tasks={tasks} search={search} />}
          <Pager next={next} search={search} onShow={onShow} />
        </>
      )}
    </QueryPanel>
  );
}

function Grouped({ tasks, search }: { readonly tasks: readonly TaskSummary[]; readonly search: SessionsSearch }) {
  const t = useSessionsMessages();
  if (search.group !== 'model') return <TaskTable tasks={tasks} />;
  const isUsed = tasks.some(({ models }) => models.length > 0);
  return isUsed ? <UsageTable tasks={tasks} /> : <EmptyState title={t('sessions.usage.empty')} />;
}

function Pager({ next, search, onShow }: ListProps & { readonly next: string | null }): ReactElement | null {
  const t = useSessionsMessages();
  const { cursor, ...first } = search;
  if (cursor === undefined && next === null) return null;
  return (
    <div className={styles.pager}>
      {cursor === undefined ? null : <Button onPress={() => onShow(first)}>{t('sessions.newest')}</Button>}
      {next === null ? null : <Button onPress={() => onShow({ ...first, cursor: next })}>{t('sessions.older')}</Button>}
    </div>
  );
}

interface StateFilterProps {
  readonly filters: SessionsSearch;
  readonly onChange: (filters: SessionsSearch) => void;
}

function StateFilter({ filters: { state, ...rest }, onChange }: StateFilterProps): ReactElement {
  const t = useSessionsMessages();
  const parts = usePartsMessages();
  const options: readonly { readonly value: (typeof sessionStates)[number] | 'all'; readonly label: string }[] = [
    { value: 'all', label: t('sessions.state.all') },
    ...sessionStates.map((value) => ({ value, label: parts(`parts.state.${value}`) })),
  ];
  return (
    <SelectField
      label={t('sessions.state')}
      isLabelHidden
      value={state ?? 'all'}
      options={options}
      onChange={(value) => onChange(value === 'all' ? rest : { ...rest, state: value })}
    />
  );
}

function Nothing({ search, onShow }: ListProps): ReactElement {
  const t = useSessionsMessages();
  const { group, ...filters } = search;
  if (Object.keys(filters).length === 0) {
    return <EmptyState title={t('sessions.empty.title')}>{t('sessions.empty.text')}</EmptyState>;
  }
  const clear = (): void => onShow(group === undefined ? {} : { group });
  return (
    <EmptyState
      title={t('sessions.noMatch.title')}
      action={<Button onPress={clear}>{t('sessions.noMatch.clear')}</Button>}
    >
      {t('sessions.noMatch.text')}
    </EmptyState>
  );
}
