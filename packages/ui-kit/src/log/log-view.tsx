import { ArrowDown } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { Button } from '../button/button';
import { SelectField } from '../field/select-field';
import { EmptyState, ErrorState, Skeleton } from '../states/states';
import type { LineRange } from './line-range';
import { LogFilterList } from './log-filter-list';
import { LogFindBar } from './log-find-bar';
import type { LogOptions } from './log-options';
import { LogPane } from './log-pane';
import type { RowLook } from './log-row';
import { LogScrollbar } from './log-scrollbar';
import { LogSelectionBar } from './log-selection-bar';
import type { LogPlace, LogSource } from './log-source';
import type { LogTexts } from './log-texts';
import { LogToolbar } from './log-toolbar';
import { openingLines, type LogState, type LogWindow } from './log-window';
import { useLineScroll } from './use-line-scroll';
import { useLogKeys } from './use-log-keys';
import { useLogSearch } from './use-log-search';
import { useFollowing, useLogState, useLogWindow } from './use-log-window';
import styles from './log-view.module.css';

interface LogViewProps {
  readonly source: LogSource;
  readonly texts: LogTexts;
  /** Whether the log may still grow. */
  readonly isGrowing: boolean;
  /** The part that is shown first, where no line is selected. */
  readonly opensAt: 'start' | 'end';
  readonly hasStreams: boolean;
  readonly options: LogOptions;
  readonly onOptionsChange: (options: LogOptions) => void;
  readonly selection: LineRange | undefined;
  readonly onSelect: (range: LineRange | undefined) => void;
  /** The attempt whose output is the source; all when missing. */
  readonly attempt: number | undefined;
  /** Missing where the log has no attempts. */
  readonly onAttemptChange: ((attempt: number | undefined) => void) | undefined;
  readonly formatTime: (time: string) => string;
  /** Whether single keys are shortcuts. */
  readonly hasShortcuts: boolean;
  /** Controls before the tools: which log, and where it opens. */
  readonly children?: ReactNode;
}

/** A log of any size, with the height of its container. */
export function LogView(props: LogViewProps): ReactElement {
  const { source, texts, opensAt, selection, attempt } = props;
  const [opening] = useState<LogPlace>(() => {
    if (selection !== undefined) return { line: Math.max(1, selection.first - openingLines / 2) };
    return opensAt === 'start' ? { line: 1 } : { tail: openingLines };
  });
  const log = useLogWindow(source, opening);
  const state = useLogState(log);
  const isGrowing = props.isGrowing && (attempt === undefined || attempt >= state.attempts);
  useFollowing(log, state, isGrowing);
  if (log === undefined || !state.isOpen) {
    return (
      <div className={styles.log}>
        {state.error === undefined ? (
          <Skeleton label={texts.loading} />
        ) : (
          <ErrorState message={texts.failed} requestIdLabel="" retryLabel={texts.retry} onRetry={() => log?.retry()} />
        )}
      </div>
    );
  }
  return <OpenLog {...props} {...{ log, state, isGrowing }} />;
}

interface OpenLogProps extends LogViewProps {
  readonly log: LogWindow;
  readonly state: LogState;
}

function OpenLog(props: OpenLogProps): ReactElement {
  const { log, state, source, texts, isGrowing, opensAt, hasStreams, options, selection, onSelect, formatTime } = props;
  const { totalLines, limitBytes } = state;
  const scroll = useLineScroll(log, state, opensAt === 'end' && selection === undefined);
  const search = useLogSearch(source, scroll.goTo, scroll.view.first);
  const look = useMemo<RowLook>(
    () => ({ options, texts, formatTime, hasStreams }),
    [options, texts, formatTime, hasStreams],
  );
  useLogKeys({ onFind: search.open, onFollow: scroll.follow }, search.input, props.hasShortcuts);
  useSelectionInView(selection, scroll.goTo);
  const goTo = (line: number): void => scroll.goTo(line, 'top');
  const openFound = (line: number): void => {
    search.find.change({ isFilter: false });
    onSelect({ first: line, last: line });
  };
  return (
    <div className={styles.log}>
      <LogToolbar
        {...{ texts, options, source, state, onFind: search.open, onGoTo: onSelect }}
        onOptionsChange={props.onOptionsChange}
        isFollowing={isGrowing ? scroll.isFollowing : undefined}
        onFollow={(isOn) => (isOn ? scroll.follow() : goTo(scroll.view.first))}
      >
        {props.children}
        <AttemptField {...props} attempts={state.attempts} />
      </LogToolbar>
      {search.isOpen ? <LogFindBar search={search} texts={texts} /> : null}
      {limitBytes === undefined ? null : <p className={styles.notice}>{texts.cut(limitBytes)}</p>}
      {state.error === undefined ? null : <FailedPart texts={texts} onRetry={() => log.retry()} />}
      {totalLines === 0 ? (
        <EmptyState title={isGrowing ? texts.emptyWhileRunning : texts.empty} />
      ) : search.isFiltering ? (
        <LogFilterList find={search.find} look={look} onOpen={openFound} />
      ) : (
        <div className={styles.view}>
          <LogPane
            {...{ log, version: state.version, scroll, look, selection, onSelect }}
            {...{ spans: search.spans, currentLine: search.currentLine }}
            onEdge={(edge) => (edge === 'start' ? goTo(1) : scroll.follow())}
          />
          <LogScrollbar view={scroll.view} totalLines={totalLines} marks={search.lines} onGoTo={goTo} />
          {isGrowing && !scroll.isFollowing ? <NewLines {...{ totalLines, texts }} onShow={scroll.follow} /> : null}
        </div>
      )}
      {selection === undefined ? null : (
        <LogSelectionBar range={selection} source={source} texts={texts} onClear={() => onSelect(undefined)} />
      )}
    </div>
  );
}

/** A step that is repeated for ever has many; the last ones are offered. */
const offeredAttempts = 200;

interface AttemptFieldProps extends Pick<LogViewProps, 'texts' | 'attempt' | 'onAttemptChange'> {
  readonly attempts: number;
}

/** Chooses one of several attempts, the newest first. */
function AttemptField({ texts, attempt, onAttemptChange, attempts }: AttemptFieldProps): ReactElement | null {
  if (onAttemptChange === undefined || (attempts < 2 && attempt === undefined)) return null;
  const newest = Array.from({ length: Math.min(attempts, offeredAttempts) }, (_, place) => attempts - place);
  const offered = attempt === undefined || newest.includes(attempt) ? newest : [...newest, attempt];
  return (
    <SelectField
      label={texts.chooseAttempt}
      isLabelHidden
      value={String(attempt ?? '')}
      options={[
        { value: '', label: texts.allAttempts },
        ...offered.map((number) => ({ value: String(number), label: texts.attempt(number) })),
      ]}
      onChange={(chosen) => onAttemptChange(chosen === '' ? undefined : Number(chosen))}
    />
  );
}

/** The shown lines stay; missing ones are read again on demand. */
function FailedPart({ texts, onRetry }: { readonly texts: LogTexts; readonly onRetry: () => void }): ReactElement {
  return (
    <div role="alert" className={styles.notice}>
      {texts.failed} <Button onPress={onRetry}>{texts.retry}</Button>
    </div>
  );
}

interface NewLinesProps {
  readonly totalLines: number;
  readonly texts: LogTexts;
  readonly onShow: () => void;
}

/** The number of new lines since the view stopped to follow. */
function NewLines({ totalLines, texts, onShow }: NewLinesProps): ReactElement | null {
  const [before] = useState(totalLines);
  if (totalLines <= before) return null;
  return (
    <div className={styles.newLines}>
      <Button variant="primary" onPress={onShow}>
        <ArrowDown aria-hidden size={14} /> {texts.newLines(totalLines - before)}
      </Button>
    </div>
  );
}

/** Shows lines that an address or their number has selected. */
function useSelectionInView(selection: LineRange | undefined, goTo: (line: number, align: 'centre') => void): void {
  const first = selection?.first;
  const latest = useRef(goTo);
  useEffect(() => {
    latest.current = goTo;
  }, [goTo]);
  useEffect(() => {
    if (first !== undefined) latest.current(first, 'centre');
  }, [first]);
}
