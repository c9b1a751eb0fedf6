import { z } from 'zod';
import { queryInteger } from '../common/query-integer';
import { LogSearchResponse } from './log-line-schemas';
import { logOperation } from './log-operation';
import { stepLinesQuery, invalidRequest } from './shared';

export const {
  ofRun: searchDagRunLog,
  ofStep: searchDagRunStepLog,
  ofSubRun: searchSubDagRunLog,
  ofSubStep: searchSubDagRunStepLog,
} = logOperation({
  action: 'search',
  operation: ['search'],
  title: 'Search',
  description:
    'Searches a log of any size from its beginning, or from a cursor, for ten seconds at most, and returns the matching lines with those around them. All matches are counted, also beyond the limit.',
  query: {
    query: z
      .string()
      .max(1000)
      .regex(/^[^\n]+$/)
      .describe('What to find in a line.'),
    regex: z
      .enum(['true', 'false'])
      .optional()
      .describe('Whether the query is a regular expression (RE2 syntax) for one line. Default false.'),
    ignoreCase: z.enum(['true', 'false']).optional().describe('Whether the case of letters is ignored. Default false.'),
    context: queryInteger(0, 20).optional().describe('Lines before and after each match. Default 0.'),
    limit: queryInteger(1, 1000).optional().describe('Maximum number of matching lines. Default 100.'),
    cursor: z
      .string()
      .regex(/^\d{1,10}\.\d{1,13}$/)
      .optional()
      .describe('Cursor of an earlier response.'),
  },
  stepQuery: stepLinesQuery,
  success: { status: 200, description: 'What was found.', schema: LogSearchResponse },
  errors: { 400: { ...invalidRequest, reasons: [...invalidRequest.reasons, 'invalid_pattern'] } },
});
