import type { Log } from '@weir/workflow-contract';
import type { LogPart } from './log-lines';

export function presentLog({ content, lineCount, totalLines, hasMore, isEstimate }: LogPart): Log {
  return { content, lineCount, totalLines, hasMore, isEstimate };
}
