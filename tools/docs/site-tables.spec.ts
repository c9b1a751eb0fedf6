import { tablesOf, siteTables } from './site-tables';

describe('siteTables', () => {
  it('has every table that a page asks for', () => {
    const tables = siteTables();
    expect([...tables].filter(([, table]) => !table.includes('| --- |') && !table.includes('|\n| ---'))).toEqual([]);
    const names = ['endpoint-proofs', 'known-clients', 'statements', 'findings'];
    expect(names.filter((name) => !tables.has(`<!-- table: ${name} -->`))).toEqual([]);
  });
});

describe('tablesOf', () => {
  it('refuses a table that does not exist', () => {
    expect(() => tablesOf('<!-- table: nothing -->')).toThrow('There is no table nothing.');
  });
});
