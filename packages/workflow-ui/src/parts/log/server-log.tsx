import { useLocation, useNavigate } from '@tanstack/react-router';
import {
  formatLineRange,
  LogView,
  parseLineRange,
  Segments,
  type LineRange,
  type LogSource,
  type LogOptions,
} from '@weir/ui-kit';
import { usePreferences } from '@weir/ui-kit/app';
import { useCallback, useMemo, type ReactElement, type ReactNode } from 'react';
import { logStreams, spellLog, type LogAddress, type LogStream, downloadAddress } from './log-address';
import { useLogMessages } from './log-messages';
import { useLogOptions } from './use-log-options';
import { useLogTexts } from './use-log-texts';
import { followLog } from './follow-log';
import { readLogLines, searchLog } from './log-operations';

export interface ServerLogProps {
  readonly log: LogAddress;
  /** Whether its run or step may still write. */
  readonly isGrowing: boolean;
  /** The part that is shown first: the end for a running or failed step. */
  readonly opensAt: 'start' | 'end';
  /** The start of the run or step, from which times may be counted. */
  readonly startedAt?: string | undefined;
  /** Chooses a stream; given where the streams of the step are separate. */
  readonly onStreamChange?: ((stream: LogStream) => void) | undefined;
  /** Chooses an attempt; given for the logs of steps. */
  readonly onAttemptChange?: ((attempt: number | undefined) => void) | undefined;
  /** Further tools, such as a link that opens the log alone. */
  readonly children?: ReactNode;
}

/** A live log of the server, of any size, with the height of its container; the address selects its lines. */
export function ServerLog(props: ServerLogProps): ReactElement {
  const { log, isGrowing, opensAt, startedAt, onStreamChange, onAttemptChange, children } = props;
  const t = useLogMessages();
  const texts = useLogTexts();
  const [options, setOptions] = useLogOptions();
  const { timeZone, hasShortcuts } = usePreferences();
  const [selection, select] = useSelectedLines();
  const spelling = spellLog(log);
  // The spelling identifies the log.
  const source = useMemo(() => createLogSource(log), [spelling]);
  const formatTime = useMemo(
    () => createLogTime(options.times, timeZone, startedAt),
    [options.times, timeZone, startedAt],
  );
  return (
    <LogView
      key={spelling}
      {...{ source, texts, isGrowing, opensAt, options, selection, formatTime, hasShortcuts, onAttemptChange }}
      attempt={log.attempt}
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

/** Reads the lines that the address selects: `#L120-L140`. */
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

/** Limits the matches of one search request. */
const matchesPerSearch = 500;

/** Provides a log of the server to the log viewer. */
function createLogSource(log: LogAddress): LogSource {
  return {
    read: (place, limit, signal) => readLogLines(log, { ...place, limit }, signal),
    search: ({ text, isRegex, isCaseSensitive }, { context, cursor, signal }) =>
      searchLog(
        log,
        {
          query: text,
          regex: isRegex ? 'true' : 'false',
          ignoreCase: isCaseSensitive ? 'false' : 'true',
          context,
          limit: matchesPerSearch,
          ...(cursor === undefined ? {} : { cursor }),
        },
        signal,
      ),
    follow: (line, follower) => followLog(log, line, follower),
    files: filesOf(log).map(({ file, ...of }) => ({ name: file, address: downloadAddress(of) })),
  };
}

/** Each stream of a step has a file of its own. */
function filesOf(log: LogAddress): readonly (LogAddress & { readonly file: string })[] {
  const streams = log.stream === 'both' ? (['stdout', 'stderr'] as const) : [log.stream];
  return streams.map((stream) => ({ ...log, stream, file: stream ?? 'log' }));
}

const emptyTime = '';

/** Formats the times of lines: as times of day in a zone (`local` for that of the browser), or since a beginning. */
function createLogTime(
  times: LogOptions['times'],
  timeZone: string,
  startedAt: string | undefined,
): (time: string) => string {
  if (times === 'none') return () => emptyTime;
  const start = startedAt === undefined || startedAt === '' ? NaN : Date.parse(startedAt);
  if (times === 'relative' && !Number.isNaN(start)) return (time) => spellSince(Date.parse(time) - start);
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    ...(timeZone === 'local' ? {} : { timeZone }),
  });
  return (time) => format.format(new Date(time));
}

function spellSince(ms: number): string {
  const sign = ms < 0 ? '-' : '+';
  const seconds = Math.abs(ms) / 1000;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = (seconds % 60).toFixed(1).padStart(4, '0');
  const whole = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : String(minutes);
  return `${sign}${whole}:${rest}`.padStart(9);
}
