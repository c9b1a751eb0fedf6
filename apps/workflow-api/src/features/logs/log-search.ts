import { AppError } from '@weir/foundation';
import type { RunFiles } from '../../run-files';
import { createLineMatcher, type LogQuery } from './search/line-matcher';
import type { LinePosition, LogSource } from './reader';
import type { LogFindings } from './search/search-log';
import type { LogSearcher } from './search/log-searcher';

/** A search in the terms of a request. */
export interface SearchInput {
  readonly query: string;
  readonly regex?: 'true' | 'false' | undefined;
  readonly ignoreCase?: 'true' | 'false' | undefined;
  readonly context?: number | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const deadlineMs = 10_000;

/** Throws `invalid_pattern`. */
export async function findInLog(
  { searcher, runFiles }: { readonly searcher: LogSearcher; readonly runFiles: Pick<RunFiles, 'describe'> },
  source: LogSource,
  { query: text, regex, ignoreCase, context = 0, limit = 100, cursor }: SearchInput,
  signal: AbortSignal,
): Promise<LogFindings> {
  const query: LogQuery = { text, isPattern: regex === 'true', ignoresCase: ignoreCase === 'true' };
  if (createLineMatcher(query) === undefined) {
    throw new AppError('invalid_request', 'The query is not a regular expression of RE2.', {
      reason: 'invalid_pattern',
    });
  }
  const files = await runFiles.describe();
  return searcher.search({ files, source, query, context, limit, from: parseCursor(cursor), deadlineMs }, signal);
}

export function formatCursor({ line, byte }: LinePosition): string {
  return `${line}.${byte}`;
}

function parseCursor(cursor = '1.0'): LinePosition {
  const [line, byte] = cursor.split('.');
  return { line: Number(line), byte: Number(byte) };
}
