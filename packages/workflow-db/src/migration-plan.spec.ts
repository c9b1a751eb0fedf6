import { planMigrations, type LedgerRow } from './migration-plan';

const files = ['1_create', '2_add', '3_drop'].map((name) => ({ name, sql: '', checksum: `sum of ${name}` }));

function row(name: string, values: Partial<LedgerRow> = {}): LedgerRow {
  return { id: name, name, checksum: `sum of ${name}`, isFinished: true, isRolledBack: false, ...values };
}

const listNames = (ledger: readonly LedgerRow[]) => planMigrations(files, ledger).map((file) => file.name);

describe('planMigrations', () => {
  it('selects every migration in order when the ledger is empty', () => {
    expect(listNames([])).toEqual(['1_create', '2_add', '3_drop']);
  });

  it('omits applied migrations', () => {
    expect(listNames([row('1_create'), row('2_add')])).toEqual(['3_drop']);
  });

  it('selects a migration that sorts before an applied one', () => {
    expect(listNames([row('1_create'), row('3_drop')])).toEqual(['2_add']);
  });

  it('selects a migration again after it was rolled back', () => {
    expect(listNames([row('1_create', { isFinished: false, isRolledBack: true })])).toContain('1_create');
  });

  it.each([
    ['one that was started but not finished', row('2_add', { isFinished: false }), 'migration_unfinished', '2_add'],
    ['one whose file changed', row('1_create', { checksum: 'other' }), 'migration_edited', '1_create'],
    ['one that has no file', row('4_later'), 'database_newer', '4_later'],
  ])('refuses a ledger with %s, by name', (_, wrong, reason, name) => {
    const expected = { code: 'unavailable', reason, message: expect.stringContaining(name) as string };
    expect(catchRefusal([wrong])).toMatchObject(expected);
  });
});

describe('a migration without a file, which another version applied', () => {
  const applied = (version: string | undefined) => row('4_later', { version });
  const plan = (theirs: string | undefined, own: string | undefined) => {
    try {
      return planMigrations(files, [applied(theirs)], own).length;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    ['1.4.0', '1.4.9'],
    ['1.5.2', '1.4.0'],
    ['1.5.0-rc.1', '1.4.0'],
    ['1.3.0', '1.4.0'],
  ])('is accepted when %s applied it and this is %s', (theirs, own) => {
    expect(plan(theirs, own)).toBe(files.length);
  });

  it.each([
    ['1.6.0', '1.4.0'],
    ['2.0.0', '1.9.0'],
    [undefined, '1.4.0'],
    ['1.4.0', undefined],
    ['1.5.0', 'unbuilt'],
  ])('is refused when %s applied it and this is %s', (theirs, own) => {
    expect(plan(theirs, own)).toContain('4_later');
  });

  it('is refused with both versions', () => {
    expect(plan('1.6.0', '1.4.0')).toContain(
      'newer version of Weir (1.6.0): it has migrations that this version (1.4.0) does not know',
    );
  });
});

function catchRefusal(ledger: readonly LedgerRow[]): unknown {
  try {
    return listNames(ledger);
  } catch (error) {
    return error;
  }
}
