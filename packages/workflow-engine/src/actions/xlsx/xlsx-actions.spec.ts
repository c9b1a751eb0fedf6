import { existsSync } from 'node:fs';
import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import ExcelJs from 'exceljs';
import { BlobReader, BlobWriter, TextReader, ZipReader, ZipWriter, type FileEntry } from '@zip.js/zip.js';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import { actionFixture, type ActionFixture, type RunOptions } from '../testing/action-fixture';
import { buildFileProgram, type FileProgram } from '../testing/file-program';

let built: FileProgram;
let fixture: ActionFixture;

beforeAll(() => void (built = buildFileProgram()));
afterAll(() => built.bundle.remove());

beforeEach(async () => (fixture = await actionFixture({ fileProgram: built.program })));
afterEach(() => fixture.remove());

async function run(action: ExecutableActionName, settings: JsonObject, options: RunOptions = {}) {
  const ran = await fixture.run(action, { path: 'orders.xlsx', ...settings }, options);
  const declared = ran.outcome.outputs?.declared ?? [];
  const outputs = Object.fromEntries(declared.map(({ name, value }) => [name, value])) as Record<string, JsonValue>;
  return { ...ran, outputs };
}

async function succeed(action: ExecutableActionName, settings: JsonObject = {}, options?: RunOptions) {
  const ran = await run(action, settings, options);
  if (ran.outcome.status !== 'succeeded') throw new Error(ran.outcome.error);
  return ran;
}

/** A workbook as another program writes it. */
async function withOrders(): Promise<void> {
  const book = new ExcelJs.Workbook();
  const sheet = book.addWorksheet('Orders');
  sheet.addRow(['Orders of May']);
  sheet.addRow(['No', ' Amount ', 'Day', 'At', 'Amount', 'Paid', '']);
  sheet.addRow(['007', 1.5, new Date('2026-05-01'), new Date('2026-05-01T14:30:00Z'), 3, true, { error: '#N/A' }]);
  sheet.addRow([]);
  sheet.addRow([' b ', { formula: 'B3*2', result: 3 }, null, null, { richText: [{ text: 'x' }, { text: 'y' }] }]);
  sheet.getCell('C3').numFmt = 'yyyy-mm-dd';
  sheet.getCell('D3').numFmt = 'yyyy-mm-dd hh:mm';
  book.addWorksheet('Empty');
  await book.xlsx.writeFile(fixture.path('orders.xlsx'));
}

describe('xlsx.read', () => {
  beforeEach(withOrders);

  it('publishes the rows below the header with their types', async () => {
    const { outputs, stdout, stderr } = await succeed('xlsx.read');

    expect(outputs).toMatchObject({ count: 3, sheet: 'Orders', range: 'Orders!A2:G5', truncated: false });
    expect(outputs.headers).toEqual(['No', 'Amount', 'Day', 'At', 'Amount_2', 'Paid', 'G']);
    const [first, blank, second] = outputs.rows as JsonObject[];
    expect(first).toEqual({
      _row: 3,
      No: '007',
      Amount: 1.5,
      Day: '2026-05-01',
      At: '2026-05-01T14:30:00',
      Amount_2: 3,
      Paid: true,
      G: null,
    });
    expect(blank).toMatchObject({ _row: 4, No: null });
    expect(second).toMatchObject({ _row: 5, No: ' b ', Amount: 3, Amount_2: 'xy', Paid: null });
    expect(stdout).toBe('Read 3 rows from orders.xlsx Orders!A2:G5\n');
    expect(stderr).toContain('warning: Orders!G3: error cell #N/A\n');
  });

  it.each([
    [
      { columns: ['Amount: amount', 'No'], trim: true },
      [{ amount: 1.5, No: '007' }, { No: null }, { amount: 3, No: 'b' }],
    ],
    [{ range: 'A3:B', header: false }, [{ A: '007', B: 1.5 }, { A: null }, { A: ' b ', B: 3 }]],
    [{ range: 'Orders!B5', header: false, formulas: 'text' }, [{ B: '=B3*2' }]],
    [{ sheet: 'orders', columns: ['No'], max_rows: 1 }, [{ No: '007' }]],
    [{ columns: ['No'], stop_at_blank: true }, [{ No: '007' }]],
    [{ range: 'C2:C5' }, [{ Day: '2026-05-01' }]],
    [{ range: 'C2:C5', keep_empty_rows: true }, [{ Day: '2026-05-01' }, { Day: null }, { Day: null }]],
    [{ sheet: 'Empty' }, []],
  ])('reads with %j', async (settings, rows) => {
    const { outputs } = await succeed('xlsx.read', settings);
    expect(outputs.rows).toMatchObject(rows);
    expect(outputs.count).toBe(rows.length);
  });

  it('leaves out the last rows when they are more than a step may publish', async () => {
    const rows = Array.from({ length: 10 }, () => ['x'.repeat(50)]);
    await succeed('xlsx.write', { path: 'long.xlsx', rows, columns: ['name'] });
    const { outputs, stderr } = await succeed('xlsx.read', { path: 'long.xlsx' }, { maxOutputBytes: 1_000 });
    expect(outputs).toMatchObject({ truncated: true, count: 7 });
    expect(stderr).toContain('warning: output truncated to 7 of 10 rows');
  });

  it.each([
    [{ path: 'none.xlsx' }, 'The workbook was not found.'],
    [{ path: 'orders.csv' }, 'only .xlsx and .xlsm workbooks are supported'],
    [{ sheet: 'May' }, 'The sheet was not found; sheets present: Orders, Empty.'],
    [{ range: 'Totals' }, 'range is no range of cells'],
    [{ columns: ['Nope'] }, 'a column was not found; headers present: No, Amount'],
  ])('fails with %j', async (settings, error) => {
    expect((await run('xlsx.read', settings)).outcome.error).toContain(error);
  });

  it('fails for what is no workbook, and for one that unpacks to too much', async () => {
    await writeFile(fixture.path('orders.xlsx'), 'no archive');
    expect((await run('xlsx.read', {})).outcome.error).toContain('The file is no workbook that can be read.');

    const zip = new ZipWriter(new BlobWriter(), { level: 9, useWebWorkers: false });
    await zip.add('xl/workbook.xml', new BlobReader(new Blob([new Uint8Array(300_000_000)])));
    await writeFile(fixture.path('orders.xlsx'), Buffer.from(await (await zip.close()).arrayBuffer()));
    expect((await run('xlsx.read', {})).outcome.error).toContain('more than 268435456 bytes unpacked');
  }, 30_000);
});

describe('xlsx.info and xlsx.list_sheets', () => {
  it('describe the sheets', async () => {
    await withOrders();
    expect((await succeed('xlsx.list_sheets')).outputs).toEqual({ sheets: ['Orders', 'Empty'], count: 2 });
    expect((await succeed('xlsx.info')).outputs).toMatchObject({
      date_system: 1900,
      sheets: [
        { name: 'Orders', range: 'Orders!A2:G5', rows: 3 },
        { name: 'Empty', range: '', headers: [], rows: 0 },
      ],
    });
  });
});

describe('xlsx.write and xlsx.append', () => {
  const rows = [
    { _row: 9, no: '007', day: '2026-05-01', at: '2026-05-01T14:30:00' },
    { no: 8, day: '2026-02-30', more: [1] },
  ];

  it('make a workbook that other programs read, and add to it', async () => {
    const written = await succeed('xlsx.write', { sheet: 'May', rows });
    expect(written.outputs.changes).toMatchObject({ range: 'May!A1:D3', rows_appended: 2, cells_changed: 12 });
    await succeed('xlsx.append', { rows: JSON.stringify([['x', '2026-06-02']]) });

    const book = new ExcelJs.Workbook();
    await book.xlsx.readFile(fixture.path('orders.xlsx'));
    const sheet = book.getWorksheet('May');
    expect(sheet?.getRow(1).values).toEqual([undefined, 'no', 'day', 'at', 'more']);
    expect(sheet?.getCell('A2').value).toBe('007');
    expect(sheet?.getCell('B2').value).toEqual(new Date('2026-05-01'));
    expect(sheet?.getCell('B4').numFmt).toBe('yyyy-mm-dd');
    const { outputs } = await succeed('xlsx.read');
    expect(outputs.rows).toMatchObject([
      { no: '007', day: '2026-05-01', at: '2026-05-01T14:30:00', more: null },
      { no: 8, day: '2026-02-30', more: '[1]' },
      { no: 'x', day: '2026-06-02' },
    ]);
  });

  it('replace the rows of one sheet, and keep the other sheets, the permissions and a link', async () => {
    await withOrders();
    await chmod(fixture.path('orders.xlsx'), 0o640);
    await symlink(fixture.path('orders.xlsx'), fixture.path('link.xlsx'));
    await succeed('xlsx.write', { path: 'link.xlsx', sheet: 'Empty', rows: [{ a: 1 }] });
    await succeed('xlsx.write', { sheet: 'Empty', rows: [{ b: 2 }] });

    expect((await stat(fixture.path('orders.xlsx'))).mode & 0o777).toBe(0o640);
    expect((await succeed('xlsx.read', { sheet: 'Empty' })).outputs.rows).toEqual([{ _row: 2, b: 2 }]);
    expect((await succeed('xlsx.read')).outputs).toMatchObject({ count: 3 });
  });

  it('change nothing in a dry run', async () => {
    const { outputs } = await succeed('xlsx.write', { rows, dry_run: true });
    expect(outputs).toMatchObject({ dry_run: true, changes: { rows_appended: 2 } });
    expect(existsSync(fixture.path('orders.xlsx'))).toBe(false);
  });

  it('leave a workbook alone of which parts would be lost', async () => {
    await withOrders();
    const before = await readFile(fixture.path('orders.xlsx'));
    const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
    const reader = new ZipReader(new BlobReader(new Blob([new Uint8Array(before)])), { useWebWorkers: false });
    for (const entry of (await reader.getEntries()).filter((each): each is FileEntry => !each.directory)) {
      await zip.add(entry.filename, new BlobReader(await entry.getData(new BlobWriter())));
    }
    await zip.add('xl/charts/chart1.xml', new TextReader('<c/>'));
    const content = Buffer.from(await (await zip.close()).arrayBuffer());
    await writeFile(fixture.path('orders.xlsx'), content);

    expect((await run('xlsx.append', { rows })).outcome.error).toContain(
      'The workbook has charts, which would be lost',
    );
    expect((await readFile(fixture.path('orders.xlsx'))).equals(content)).toBe(true);
  });

  it.each([
    [{ rows: 'hunter2' }, 'rows must be a list of maps or lists.'],
    [{ rows, path: 'x.xlsm' }, 'path: only .xlsx workbooks are written.'],
    [{ rows: [1] }, 'rows must hold lists or maps.'],
    [{ rows, sheet: 'a/b' }, 'sheet is no name of a sheet.'],
    [{ rows, path: 'none/x.xlsx' }, 'The folder of the workbook was not found.'],
  ])('fail with %j', async (settings, error) => {
    expect((await run('xlsx.write', settings)).outcome.error).toContain(error);
  });
});

describe('xlsx.convert', () => {
  beforeEach(withOrders);

  it.each([
    [{ output: 'out.csv', columns: ['No', 'Day', 'Paid'] }, 'No,Day,Paid\n007,2026-05-01,true\n,,\n b ,,\n'],
    [{ output: 'out.txt', format: 'csv', delimiter: ';', columns: ['No: n', 'Paid'] }, 'n;Paid\n007;true\n;\n b ;\n'],
    [
      { output: 'out.ndjson', columns: ['No', 'Amount'] },
      '{"No":"007","Amount":1.5}\n{"No":null,"Amount":null}\n{"No":" b ","Amount":3}\n',
    ],
    [{ output: 'out.json', range: 'A3:A3', header: false }, '[\n{"A":"007"}\n]\n'],
  ])('writes %j', async (settings, text) => {
    const { outputs } = await succeed('xlsx.convert', settings);
    expect(await readFile(fixture.path(settings.output), 'utf8')).toBe(text);
    expect(outputs.path).toBe(fixture.path(settings.output));
  });

  it('fails for a file whose format is not known', async () => {
    expect((await run('xlsx.convert', { output: 'out.txt' })).outcome.error).toContain('set format');
  });
});
