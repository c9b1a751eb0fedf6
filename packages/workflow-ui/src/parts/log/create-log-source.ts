import type { LogSource } from '@weir/ui-kit';
import { followLog } from './follow-log';
import { downloadAddress, type LogAddress } from './log-address';
import { readLogLines, searchLog } from './log-operations';

/** Matches that a search brings at once. */
const matches = 500;

/** A log of the server for the log viewer. */
export function createLogSource(log: LogAddress): LogSource {
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
          limit: matches,
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
