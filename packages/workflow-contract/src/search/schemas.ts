import { z } from 'zod';
import { queryInteger } from '../common/query-integer';

export const SearchMatchItem = z
  .object({
    line: z.string().describe('The line with up to two lines before and after it.'),
    lineNumber: z.int().describe('Number of the line that matches, from 1.'),
    startLine: z.int().describe('Number of the first line of the text, from 1.'),
  })
  .meta({ id: 'SearchMatchItem', description: 'A line that contains the text, with its surroundings.' });
export type SearchMatchItem = z.output<typeof SearchMatchItem>;

export const RunMatch = z
  .object({
    field: z
      .enum(['name', 'dagRunId', 'label', 'params', 'error', 'step'])
      .describe('"step": the error of a failed step.'),
    step: z.string().optional().describe('The name of the step.'),
    excerpt: z.string().describe('The text around the first of the words.'),
  })
  .meta({ id: 'RunMatch', description: 'A part of a run that contains one of the words.' });
export type RunMatch = z.output<typeof RunMatch>;

export const hasMore = z.boolean().describe('Whether there are further ones.');
export const nextCursor = z.string().optional().describe('Cursor of the next page; absent on the last page.');
export const matches = z.array(SearchMatchItem).describe('In the order of the text.');

export const text = z.string().trim().min(1).max(1000).describe('Text that a line contains, case-insensitively.');
export const words = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .describe('Beginnings of words of letters and digits, all of which a run contains, case-insensitively; at most 16.');
export const cursor = z.string().max(4096).optional().describe('Cursor of the previous page, for the same search.');
export const limit = (byDefault: number) =>
  queryInteger(1, 50).default(byDefault).describe(`Maximum number of results: 1 to 50. Default ${byDefault}.`);

export const SearchMatchesResponse = z
  .object({ matches, hasMore, nextCursor })
  .meta({ id: 'SearchMatchesResponse', description: 'A page of matches.' });
