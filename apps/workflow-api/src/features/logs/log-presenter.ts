import type { Log, LogLine as WireLine, LogLinesResponse, LogSearchResponse } from '@weir/workflow-contract/schemas';
import type { FoundLine, LogFindings } from './search/search-log';
import type { LogLine, LogLines } from './reader';
import { formatCursor } from './log-search';
import type { LogPart } from './log-lines';

export function presentLog({ content, lineCount, totalLines, hasMore, isEstimate }: LogPart): Log {
  return { content, lineCount, totalLines, hasMore, isEstimate };
}

export function presentLogLines({
  lines,
  next,
  totalLines,
  isEstimate,
  totalBytes,
  attempts,
}: LogLines): LogLinesResponse {
  return {
    lines: lines.map(presentLogLine),
    nextLine: next.line,
    nextByte: next.byte,
    totalLines,
    isEstimate,
    totalBytes,
    attempts,
  };
}

export function presentLogLine({ number, byte, text, isCut, stream, time, attempt }: LogLine): WireLine {
  return {
    number,
    byte,
    text,
    isCut,
    ...(stream === undefined ? {} : { stream }),
    ...(time === undefined ? {} : { time: time.toISOString() }),
    ...(attempt === undefined ? {} : { attempt }),
  };
}

export function presentFindings(findings: LogFindings): LogSearchResponse {
  const { groups, matchingLines, isComplete, next, searchedBytes, totalBytes } = findings;
  return {
    groups: groups.map((group) => group.map(presentFoundLine)),
    matchingLines,
    isComplete,
    searchedBytes,
    totalBytes,
    ...(next === undefined ? {} : { nextCursor: formatCursor(next) }),
  };
}

function presentFoundLine({ isMatch, spans, ...line }: FoundLine): LogSearchResponse['groups'][number][number] {
  return { ...presentLogLine(line), isMatch, spans: [...spans] };
}
