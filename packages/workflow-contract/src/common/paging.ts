import { z } from 'zod';
import { queryInteger } from './query-integer';

/** Records on a page when the request does not say, and at the most. */
const defaultPerPage = 50;
export const maxPerPage = 200;

const integer = queryInteger(-2_147_483_648, 2_147_483_647);

/** The two paging parameters. Values below 1 mean the default, a larger `perPage` than 200 means 200. */
export const pageQuery = {
  page: integer.optional().describe('Page number, from 1. Default 1.'),
  perPage: integer.optional().describe('Records per page: 1 to 200. Default 50.'),
};

export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

/** The page that a query asks for, inside the bounds. */
export function pageRequest(query: {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}): PageRequest {
  const perPage =
    query.perPage === undefined || query.perPage < 1 ? defaultPerPage : Math.min(query.perPage, maxPerPage);
  return { page: Math.max(query.page ?? 1, 1), perPage };
}

const count = z.int();

export const Pagination = z
  .object({
    totalRecords: count.describe('Total number of records, after filtering.'),
    currentPage: count.describe('The requested page.'),
    totalPages: count.describe('Total number of pages; 1 for an empty list.'),
    nextPage: count.describe('The next page, at most the last one.'),
    prevPage: count.describe('The previous page, at least 1.'),
  })
  .meta({ id: 'Pagination', description: 'Position of a page in its list.' });
export type Pagination = z.output<typeof Pagination>;

/** The pagination of a page in a list of `totalRecords`. A page beyond the end is empty, not an error. */
export function paginate({ page, perPage }: PageRequest, totalRecords: number): Pagination {
  const totalPages = Math.max(1, Math.ceil(totalRecords / perPage));
  return {
    totalRecords,
    currentPage: page,
    totalPages,
    nextPage: Math.min(page + 1, totalPages),
    prevPage: Math.max(page - 1, 1),
  };
}
