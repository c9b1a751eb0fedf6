import { z } from 'zod';

export const SearchMatchItem = z
  .object({
    line: z.string().describe('The line with up to two lines before and after it.'),
    lineNumber: z.int().describe('Number of the line that matches, from 1.'),
    startLine: z.int().describe('Number of the first line of the text, from 1.'),
  })
  .meta({ id: 'SearchMatchItem', description: 'A line that contains the text, with its surroundings.' });
export type SearchMatchItem = z.output<typeof SearchMatchItem>;

export const hasMore = z.boolean().describe('Whether there are further ones.');
export const nextCursor = z.string().optional().describe('Cursor of the next page; absent on the last page.');
export const matches = z.array(SearchMatchItem).describe('In the order of the text.');
