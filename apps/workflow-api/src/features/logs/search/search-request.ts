import type { LinePosition } from '../reader/line-index';
import type { RunFileOptions, RunFiles } from '../../../run-files';
import { openLogView, type LogSource } from '../reader/log-view';
import { createLineMatcher, type LogQuery } from './line-matcher';
import { searchLog, type LogFindings, type SearchOptions } from './search-log';

/** The message that starts a search in a thread. */
export interface SearchRequest extends Pick<SearchOptions, 'context' | 'limit'> {
  /** The location of the log. */
  readonly files: RunFileOptions;
  readonly source: LogSource;
  /** The pattern of the query is valid. */
  readonly query: LogQuery;
  readonly from: LinePosition;
  /** After this time the search returns what it has found. */
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
