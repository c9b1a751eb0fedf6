import { queryInteger } from '../common/query-integer';
import { LogLinesResponse } from './log-line-schemas';
import { logOperation, logStart } from './log-operation';
import { stepLinesQuery } from './shared';

export const {
  ofRun: getDagRunLogLines,
  ofStep: getDagRunStepLogLines,
  ofSubRun: getSubDagRunLogLines,
  ofSubStep: getSubDagRunStepLogLines,
} = logOperation({
  action: 'lines',
  operation: ['get', 'Lines'],
  title: 'Get lines of',
  description:
    'Lines with their numbers, positions and times, from any line, byte or the end of a log of any size. A log that was not written yet is empty. Standard output and standard error of a step are one log with stream=both, in the order in which they were printed.',
  query: {
    ...logStart({ minimumTail: 1 }),
    limit: queryInteger(1, 10_000).optional().describe('Maximum number of lines. Default 1000.'),
  },
  stepQuery: stepLinesQuery,
  success: { status: 200, description: 'The lines.', schema: LogLinesResponse },
});
