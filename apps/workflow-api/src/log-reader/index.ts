export type { StreamName } from './interleaved-bytes';
export { createLogIndexes, type LogIndexes } from './log-indexes';
export { listFiles, openLogView, type FileLimits, type LogSource, type LogView } from './log-view';
export { findStart, readLines, readLinesFrom, type LinesRange, type LogLine, type LogLines } from './read-lines';
export { createLineMatcher, type LogQuery } from './search/line-matcher';
export { createLogSearcher, type LogSearcher } from './search/log-searcher';
export type { FoundLine, LogFindings } from './search/search-log';
export { answerSearch, type SearchRequest } from './search/search-request';
export type { LinePosition } from './line-index';
