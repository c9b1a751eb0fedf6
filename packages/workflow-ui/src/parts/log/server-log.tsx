import { useLocation, useNavigate } from '@tanstack/react-router';
import { formatLineRange, LogView, parseLineRange, Segments, type LineRange } from '@weir/ui-kit';
import { usePreferences } from '@weir/ui-kit/app';
import { useCallback, useMemo, type ReactElement, type ReactNode } from 'react';
import { createLogSource } from './create-log-source';
import { logStreams, spellLog, type LogAddress, type LogStream } from './log-address';
import { useLogMessages } from './log-messages';
import { createLogTime } from './log-time';
import { useLogOptions } from './use-log-options';
import { useLogTexts } from './use-log-texts';

export interface ServerLogProps {
  readonly log: LogAddress;
  /** Whether its run or step may still write. */
  readonly isGrowing: boolean;
  /** What is shown first: the end for what is running or has failed. */
  readonly opensAt: 'start' | 'end';
  /** Of the run or step; times may be counted from it. */
  readonly startedAt?: string | undefined;
  /** Where the streams of the step can be told apart: chooses one. */
  readonly onStreamChange?: ((stream: LogStream) => void) | undefined;
  /** Further tools, such as a link that opens the log alone. */
  readonly children?: ReactNode;
}

/** A log of the server, of any size, live. It takes the height of what it is in; the address selects its lines. */
export function ServerLog(props: ServerLogProps): ReactElement {
  const { log, isGrowing, opensAt, startedAt, onStreamChange, children } = props;
  const t = useLogMessages();
  const texts = useLogTexts();
  const [options, setOptions] = useLogOptions();
  const { timeZone, hasShortcuts } = usePreferences();
  const [selection, select] = useSelectedLines();
  const spelling = spellLog(log);
  // The spelling says whether it is another log.
  const source = useMemo(() => createLogSource(log), [spelling]);
  const formatTime = useMemo(
    () => createLogTime(options.times, timeZone, startedAt),
    [options.times, timeZone, startedAt],
  );
  return (
    <LogView
      key={spelling}
      {...{ source, texts, isGrowing, opensAt, options, selection, formatTime, hasShortcuts }}
      hasStreams={log.stream === 'both'}
      onOptionsChange={setOptions}
      onSelect={select}
    >
      {onStreamChange === undefined ? null : (
        <Segments
          label={t('log.stream')}
          value={log.stream ?? 'stdout'}
          segments={logStreams.map((value) => ({ value, label: t(`log.stream.${value}`) }))}
          onChange={onStreamChange}
        />
      )}
      {children}
    </LogView>
  );
}

/** The lines that the address selects: `#L120-L140`. */
function useSelectedLines(): readonly [LineRange | undefined, (range: LineRange | undefined) => void] {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const selection = useMemo(() => (hash.startsWith('L') ? parseLineRange(hash) : undefined), [hash]);
  const select = useCallback(
    (range: LineRange | undefined): void =>
      void navigate({
        to: '.',
        search: true,
        hash: range === undefined ? '' : formatLineRange(range),
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      }),
    [navigate],
  );
  return [selection, select];
}
