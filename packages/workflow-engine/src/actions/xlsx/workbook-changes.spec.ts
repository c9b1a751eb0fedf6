import { readFile } from 'node:fs/promises';
import ExcelJs from 'exceljs';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import { actionFixture, type ActionFixture } from '../testing/action-fixture';
import { buildFileProgram, type FileProgram } from '../testing/file-program';

let built: FileProgram;
let fixture: ActionFixture;

beforeAll(() => void (built = buildFileProgram()));
afterAll(() => built.bundle.remove());

beforeEach(async () => {
  fixture = await actionFixture({ fileProgram: built.program });
  const book = new ExcelJs.Workbook();
  const sheet = book.addWorksheet('Orders');
  sheet.addRow(['No', 'Amount', 'Due', 'State']);
  sheet.addRow(['A-1', 10, new Date('2026-05-01'), 'open']);
  sheet.addRow(['A-2', '20', null, 'open']);
  sheet.addRow([7, 30, null, 'done']);
  sheet.getCell('C2').numFmt = 'dd.mm.yyyy';
  sheet.getCell('D1').font = { bold: true };
  const form = book.addWorksheet('Form');
  form.getCell('B2').value = 1;
  form.getCell('B3').value = { formula: 'B2*2', result: 2 };
  form.mergeCells('A5:B5');
  form.getCell('A5').value = 'total';
  form.getColumn(1).width = 33;
  book.definedNames.add('Form!$B$2', 'Price');
  await book.xlsx.writeFile(fixture.path('orders.xlsx'));
});
afterEach(() => fixture.remove());

async function run(action: ExecutableActionName, settings: JsonObject) {
  const ran = await fixture.run(action, { path: 'orders.xlsx', ...settings });
  const declared = ran.outcome.outputs?.declared ?? [];
  const outputs = Object.fromEntries(declared.map(({ name, value }) => [name, value])) as Record<string, JsonValue>;
  return { ...ran, outputs };
}

async function succeed(action: ExecutableActionName, settings: JsonObject) {
  const ran = await run(action, settings);
  if (ran.outcome.status !== 'succeeded') throw new Error(ran.outcome.error);
  return ran;
}

const open = async (file = 'orders.xlsx') => {
  const book = new ExcelJs.Workbook();
  await book.xlsx.readFile(fixture.path(file));
  return book;
};
const rowsOf = async () => (await succeed('xlsx.read', { sheet: 'Orders' })).outputs.rows;

describe('xlsx.update_rows', () => {
  it('changes the columns of rows that are found by their key, and adds columns', async () => {
    const { outputs, stdout } = await succeed('xlsx.update_rows', {
      rows: [
        { id: 'x', No: 'A-1', state: 'done', paid: '2026-06-02' },
        { No: '7', state: 'done', paid: null },
      ],
      key: 'No',
      set: { State: 'state', Due: 'paid', Checked: { value: true } },
    });

    expect(outputs.changes).toEqual({
      sheet: 'Orders',
      range: 'Orders!C1:E4',
      rows_updated: 2,
      rows_appended: 0,
      columns_added: 1,
      cells_changed: 5,
    });
    expect(stdout).toBe('Wrote 5 cells to orders.xlsx Orders!C1:E4\n');
    await expect(rowsOf()).resolves.toMatchObject([
      { No: 'A-1', Due: '2026-06-02', State: 'done', Checked: true },
      { No: 'A-2', State: 'open', Checked: null },
      { No: 7, State: 'done', Checked: true },
    ]);
    const sheet = (await open()).getWorksheet('Orders');
    expect(sheet?.getCell('C2').numFmt).toBe('dd.mm.yyyy');
    expect(sheet?.getCell('E1').font).toMatchObject({ bold: true });
  });

  it('takes every field of rows by number, or what a loop has collected, and appends missing keys', async () => {
    await succeed('xlsx.update_rows', { rows: [{ _row: 3, Amount: 21 }], key: '_row' });
    const { outputs } = await succeed('xlsx.update_rows', {
      rows: JSON.stringify({
        summary: {},
        items: [],
        outputs: [
          { No: 'A-9', Amount: 90 },
          { No: 'A-2', State: 'done' },
        ],
      }),
      key: 'No',
      missing: 'append',
    });

    expect(outputs.changes).toMatchObject({ rows_updated: 1, rows_appended: 1 });
    await expect(rowsOf()).resolves.toMatchObject([
      { No: 'A-1', Amount: 10 },
      { No: 'A-2', Amount: 21, State: 'done' },
      { No: 7 },
      { No: 'A-9', Amount: 90, State: null },
    ]);
    const skipped = await succeed('xlsx.update_rows', { rows: [{ No: 'B', Amount: 1 }], key: 'No', missing: 'skip' });
    expect(skipped.outputs).toMatchObject({
      changes: { cells_changed: 0 },
      warnings: [expect.stringContaining('row skipped')],
    });
  });

  it.each([
    [{ rows: [{ No: 'B', Amount: 1 }], key: 'No' }, 'rows[0]: its key was not found'],
    [
      {
        rows: [
          { No: 'A-1', Amount: 1 },
          { _row: 2, No: 'A-1' },
        ],
        key: 'No',
      },
      'rows[0] and rows[1] are for the same row',
    ],
    [{ rows: [{ _row: 3, No: 'A-1', Amount: 1 }], key: 'No' }, 'Row 3 has another key now'],
    [{ rows: [{ _row: 1, Amount: 1 }], key: '_row' }, 'is no row below the header'],
    [{ rows: [{ id: 1, Amount: 1 }], key: 'id' }, 'The key column was not found; headers present: No, Amount'],
    [{ rows: [{ No: 'A-1', amount: 1 }], key: 'No' }, 'The column "amount" is named "Amount" in the header'],
    [{ rows: [{ No: 'A-1' }], key: 'No', set: { State: 'state' } }, 'set.State: field "state" is not in any row'],
    [{ rows: [{ No: 'A-1' }], key: 'No', set: { No: 'No' } }, 'the key column cannot be updated'],
    [{ rows: [{ No: 'A-1' }], key: 'No', set: { State: [] } }, 'set.State: use the name of a field'],
    [{ rows: [{ _row: 2, Amount: 1 }], key: '_row', missing: 'skip' }, 'rows without a key'],
  ])('changes nothing and fails with %j', async (settings, error) => {
    const before = await readFile(fixture.path('orders.xlsx'));
    expect((await run('xlsx.update_rows', settings)).outcome.error).toContain(error);
    expect((await readFile(fixture.path('orders.xlsx'))).equals(before)).toBe(true);
  });
});

describe('xlsx.write_cells', () => {
  it('fills cells of a copy by address and by name, and leaves the workbook as it is', async () => {
    const { outputs } = await succeed('xlsx.write_cells', {
      sheet: 'Form',
      output: 'filled.xlsx',
      cells: {
        Price: 5,
        B3: { formula: '=B2*3' },
        'Orders!A2': { value: '007', type: 'string' },
        "'Orders'!B3": { value: '25', type: 'number' },
        C1: '2026-10-01',
        C2: null,
      },
    });

    expect(outputs).toMatchObject({
      path: fixture.path('filled.xlsx'),
      changes: { sheet: 'Form', range: 'Form!B1:C3', cells_changed: 5, rows_updated: 5 },
    });
    const filled = await open('filled.xlsx');
    expect(filled.getWorksheet('Form')?.getCell('B2').value).toBe(5);
    expect(filled.getWorksheet('Form')?.getCell('B3').formula).toBe('B2*3');
    expect(filled.getWorksheet('Form')?.getCell('C1').numFmt).toBe('yyyy-mm-dd');
    expect(filled.getWorksheet('Orders')?.getCell('A2').value).toBe('007');
    expect(filled.getWorksheet('Orders')?.getCell('B3').value).toBe(25);
    expect((await open()).getWorksheet('Form')?.getCell('B2').value).toBe(1);
  });

  it.each([
    [{ cells: {} }, 'cells must not be empty'],
    [{ cells: { 'A1:B2': 1 } }, '"A1:B2" is not a single cell'],
    [{ cells: { B3: 1, $B$3: 2 } }, '"B3" and "$B$3" name the same cell Orders!B3'],
    [{ cells: { 'None!B3': 1 } }, 'The sheet was not found'],
    [{ cells: { B3: { value: 'x', type: 'number' } } }, 'cells.B3: the value is no number'],
    [{ cells: { B3: { value: 1, kind: 2 } } }, 'cells.B3: use a value'],
    [{ cells: { B3: 1 }, output: './orders.xlsx' }, 'output is the workbook itself'],
  ])('fails with %j', async (settings, error) => {
    expect((await run('xlsx.write_cells', settings)).outcome.error).toContain(error);
  });
});

describe('xlsx.sheet', () => {
  const change = async (settings: JsonObject) => (await succeed('xlsx.sheet', settings)).outputs;

  it('adds, copies, renames and deletes sheets', async () => {
    expect((await change({ operation: 'add', sheet: 'New', position: 1 })).sheets).toEqual(['New', 'Orders', 'Form']);
    expect((await change({ operation: 'copy', sheet: 'Form', to: 'May' })).sheets).toEqual([
      'New',
      'Orders',
      'Form',
      'May',
    ]);
    expect((await change({ operation: 'rename', sheet: 'Form', to: "Bob's" })).sheets).toEqual([
      'New',
      'Orders',
      "Bob's",
      'May',
    ]);
    expect((await change({ operation: 'delete', sheet: 'New' })).sheets).toEqual(['Orders', "Bob's", 'May']);

    const book = await open();
    expect(book.worksheets.map(({ name }) => name)).toEqual(['Orders', "Bob's", 'May']);
    const may = book.getWorksheet('May');
    expect(may?.getCell('B3').formula).toBe('B2*2');
    expect(may?.getCell('B5').master.address).toBe('A5');
    expect(may?.getColumn(1).width).toBe(33);
    await succeed('xlsx.write_cells', { cells: { Price: 9 } });
    expect((await open()).getWorksheet("Bob's")?.getCell('B2').value).toBe(9);
  });

  it.each([
    [{ operation: 'add', sheet: 'form', if_exists: 'skip' }, 'nothing added'],
    [{ operation: 'copy', sheet: 'Form', to: 'Orders', if_exists: 'skip' }, 'nothing copied'],
    [{ operation: 'rename', sheet: 'Form', to: 'Form' }, 'nothing renamed'],
    [{ operation: 'delete', sheet: 'None', missing: 'skip' }, 'nothing deleted'],
  ])('leaves the workbook as it is with %j', async (settings, warning) => {
    const before = await readFile(fixture.path('orders.xlsx'));
    expect((await change(settings)).warnings).toEqual([expect.stringContaining(warning)]);
    expect((await readFile(fixture.path('orders.xlsx'))).equals(before)).toBe(true);
  });

  it('replaces what is in the way', async () => {
    await change({ operation: 'copy', sheet: 'Form', to: 'Orders', if_exists: 'replace' });
    expect((await open()).getWorksheet('Orders')?.getCell('B2').value).toBe(1);
    expect((await change({ operation: 'rename', sheet: 'Form', to: 'Orders', if_exists: 'replace' })).sheets).toEqual([
      'Orders',
    ]);
    expect((await run('xlsx.sheet', { operation: 'delete', sheet: 'Orders' })).outcome.error).toContain('only sheet');
  });

  it.each([
    [{ operation: 'add', sheet: 'Orders' }, 'already exists'],
    [{ operation: 'add', sheet: 'a/b' }, 'no name of a sheet'],
    [{ operation: 'copy', sheet: 'Form' }, 'to is required for copy'],
    [{ operation: 'copy', sheet: 'None', to: 'x' }, 'sheets present: Orders, Form'],
    [{ operation: 'add', sheet: 'x', to: 'y' }, 'to is for copy and rename'],
    [{ operation: 'delete', sheet: 'Form', if_exists: 'skip' }, 'if_exists is for'],
    [{ operation: 'add', sheet: 'x', missing: 'skip' }, 'missing is for'],
    [{ operation: 'rename', sheet: 'Form', to: 'x', position: 1 }, 'position is for'],
  ])('fails with %j', async (settings, error) => {
    expect((await run('xlsx.sheet', settings)).outcome.error).toContain(error);
  });
});

describe('xlsx.validate', () => {
  const rules = {
    sheet: 'Orders',
    required: ['No', 'Customer'],
    not_blank: ['due'],
    types: { Amount: 'number', Due: 'date', No: 'integer' },
    unique: ['State'],
    allowed: { Amount: [10, '30'] },
  };

  it('publishes each problem with its cell, missing columns first', async () => {
    const { outputs, stdout, stderr } = await succeed('xlsx.validate', rules);
    const problems = outputs.problems as { code: string; cell?: string; message: string }[];

    expect(problems.map(({ code, cell = '-' }) => `${cell} ${code}`)).toEqual([
      '- missing_column',
      'A2 type',
      'C3 blank',
      'A3 type',
      'D3 duplicate',
      'B3 not_allowed',
      'C4 blank',
    ]);
    expect(problems[4]?.message).toBe('duplicate value "open"; first at row 2');
    expect(outputs).toMatchObject({ ok: false, count: 7, rows: 3, range: 'Orders!A1:D4', truncated: false });
    expect(stdout).toBe('Validated 3 rows in orders.xlsx Orders!A1:D4: 7 problems\n');
    expect(stderr).toContain('problem: Orders!A2: expected integer, found "A-1"\n');
  });

  it('finds none, lists only so many, and fails the step where that is asked for', async () => {
    expect((await succeed('xlsx.validate', { required: ['no'] })).outputs).toMatchObject({ ok: true, problems: [] });
    const { outputs } = await succeed('xlsx.validate', { ...rules, max_problems: 2 });
    expect(outputs).toMatchObject({ count: 7, truncated: true, problems: [{}, {}] });
    const failed = await run('xlsx.validate', { ...rules, on_problem: 'fail' });
    expect(failed.outcome).toMatchObject({ status: 'failed' });
    expect(failed.outcome.error).toContain('7 problems found in orders.xlsx Orders');
    expect((await run('xlsx.validate', {})).outcome.error).toContain('There is no rule');
  });
});
