import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Button, IconButton, SelectField } from '@weir/ui-kit';
import { QueryPanel, useTimeFormat, unwrap, type Failure } from '@weir/ui-kit/app';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, type ReactElement } from 'react';
import { useLiveQuery, topicOf, type LiveSource } from '../../api/live-query';
import { useIsNarrow } from '../../parts/use-is-narrow';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { ScreenHeader } from '../../parts/screen-header';
import { addDays, createWallClock, daysOf, rangeAround } from './calendar-days';
import { CalendarGrid } from './calendar-grid';
import { useCalendarMessages } from './calendar-messages';
import type { CalendarSearch } from './search';
import styles from './calendar.module.css';
import { api, type Schemas } from '../../api/client';
import type { WorkspaceScope } from '../../parts/workspace/workspace-search';

/** A day or a week of all DAGs: past runs, and future occurrences. Both are in the address. */
export function CalendarScreen(): ReactElement {
  const t = useCalendarMessages();
  const { zone } = useTimeFormat();
  const isNarrow = useIsNarrow();
  const search = useSearch({ from: '/calendar' });
  const navigate = useNavigate({ from: '/calendar' });
  const wallTimeOf = useMemo(() => createWallClock(zone), [zone]);
  const today = wallTimeOf(new Date()).day;
  const { view = isNarrow ? 'day' : 'week', day = today } = search;
  const days = useMemo(() => daysOf(view, day), [view, day]);
  const scope = useWorkspaceScope();
  const range = useMemo(() => rangeAround(days), [days]);
  const occurrences = useQuery(occurrencesQuery(range, scope));
  const runs = useLiveQuery(runsSource(range, scope));
  const show = (next: CalendarSearch): void => void navigate({ search: next });
  const move = (count: number): void => show({ ...search, day: addDays(day, count * days.length) });
  const isCut = runs.data?.nextCursor !== undefined || occurrences.data?.hasMore === true;
  return (
    <>
      <ScreenHeader title={t('calendar.title')} note={t('calendar.zone', { zone })}>
        <div className={styles.controls}>
          <Link to="/calendars">{t('calendar.business')}</Link>
          <IconButton
            icon={<ChevronLeft aria-hidden size={16} />}
            label={t('calendar.before')}
            onPress={() => move(-1)}
          />
          <Button onPress={() => show(search.view === undefined ? {} : { view: search.view })}>
            {t('calendar.today')}
          </Button>
          <IconButton
            icon={<ChevronRight aria-hidden size={16} />}
            label={t('calendar.after')}
            onPress={() => move(1)}
          />
          <SelectField
            label={t('calendar.view')}
            isLabelHidden
            value={view}
            options={(['day', 'week'] as const).map((value) => ({ value, label: t(`calendar.view.${value}`) }))}
            onChange={(next) => show({ ...search, view: next })}
          />
        </div>
      </ScreenHeader>
      {isCut ? <p className={styles.cut}>{t('calendar.cut')}</p> : null}
      <QueryPanel query={occurrences}>
        {({ occurrences: due }) => (
          <QueryPanel query={runs}>
            {({ dagRuns }) => <CalendarGrid {...{ days, today, wallTimeOf, runs: dagRuns, occurrences: due }} />}
          </QueryPanel>
        )}
      </QueryPanel>
    </>
  );
}

interface Range {
  readonly from: Date;
  readonly to: Date;
}

const mostOccurrences = 5000;

const mostRuns = 500;

/** The occurrences in a range. Their key begins like those of live data: they change with the DAGs. */
function occurrencesQuery({ from, to }: Range, scope: WorkspaceScope) {
  const query = { ...scope, after: from.toISOString(), to: to.toISOString(), limit: mostOccurrences };
  return queryOptions<Schemas['ScheduleCalendarResponse'], Failure>({
    queryKey: ['live', 'calendar', query],
    queryFn: ({ signal }) => unwrap(api.GET('/schedules/calendar', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** The runs of a range; only the newest if there are very many. */
function runsSource({ from, to }: Range, scope: WorkspaceScope): LiveSource<Schemas['DAGRunsPageResponse']> {
  const query = {
    ...scope,
    fromDate: Math.floor(from.getTime() / 1000),
    toDate: Math.ceil(to.getTime() / 1000),
    limit: mostRuns,
  };
  return {
    topic: topicOf('dagruns', query),
    read: (signal) => unwrap(api.GET('/dag-runs', { params: { query }, signal })),
  };
}
