import type { LinePosition } from '../reader/line-index';
import type { RunFileOptions, RunFiles } from '../../../run-files';
import { openLogView, type LogSource } from '../reader/log-view';
import { createLineMatcher, type LogQuery } from './line-matcher';
import { searchLog, type LogFindings, type SearchOptions } from './search-log';

/** A search as it is passed to a thread. */
export interface SearchRequest extends Pick<SearchOptions, 'context' | 'limit'> {
  /** Where the log is. */
  readonly files: RunFileOptions;
  readonly source: LogSource;
  /** Its pattern is valid. */
  readonly query: LogQuery;
  readonly from: LinePosition;
  /** After which what was found is returned. */
  readonly deadlineMs: number;
}

export async function answerSearch(request: SearchRequest, runFiles: Pick<RunFiles, 'view'>): Promise<LogFindings> {
  const { source, query, deadlineMs, ...options } = request;
  const matcher = createLineMatcher(query);
  if (matcher === undefined) throw new Error('The pattern is not valid.');
  const view = await openLogView(runFiles, source);
  const startedMs = performance.now();
  try {
    const isOver = (): boolean => performance.now() - startedMs > deadlineMs;
    return await searchLog(view, matcher, { ...options, isOver });
  } finally {
    await view.close();
  }
}
