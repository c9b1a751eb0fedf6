export { countLineBreaks } from './count-line-breaks';
export type { LogBytes } from './log-bytes';
export type { StreamName } from './interleaved-bytes';
export { createLogIndexes, type LogIndexes } from './log-indexes';
export { listFiles, openLogView, type FileLimits, type FileSource, type LogSource, type LogView } from './log-view';
export { findStart, readLines, readLinesFrom, type LinesRange, type LogLine, type LogLines } from './read-lines';
export type { LinePosition } from './line-index';
