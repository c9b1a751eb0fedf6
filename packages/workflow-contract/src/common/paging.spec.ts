import { pageRequest, paginate } from './paging';

describe('pageRequest', () => {
  it.each([
    ['nothing', {}, { page: 1, perPage: 50 }],
    ['zeros', { page: 0, perPage: 0 }, { page: 1, perPage: 50 }],
    ['negative numbers', { page: -3, perPage: -1 }, { page: 1, perPage: 50 }],
    ['a page size above the bound', { page: 2, perPage: 1000 }, { page: 2, perPage: 200 }],
    ['what is inside the bounds', { page: 3, perPage: 7 }, { page: 3, perPage: 7 }],
  ])('converts %s to a page within the limits', (_, query, expected) => {
    expect(pageRequest(query)).toEqual(expected);
  });
});

describe('paginate', () => {
  it('has one page for an empty list', () => {
    expect(paginate({ page: 1, perPage: 50 }, 0)).toEqual({
      totalRecords: 0,
      currentPage: 1,
      totalPages: 1,
      nextPage: 1,
      prevPage: 1,
    });
  });

  it('points to the pages before and after', () => {
    expect(paginate({ page: 2, perPage: 10 }, 25)).toMatchObject({ totalPages: 3, nextPage: 3, prevPage: 1 });
  });

  it('keeps a page beyond the end as requested', () => {
    expect(paginate({ page: 9, perPage: 10 }, 25)).toMatchObject({ currentPage: 9, nextPage: 3, prevPage: 8 });
  });
});
