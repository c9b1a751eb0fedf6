import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { variableTable } from '@weir/service-kit';
import { variables } from '../config';

const file = path.resolve(__dirname, '../../README.md');
const marked = /(<!-- variables:begin -->\n).*?(<!-- variables:end -->)/s;

/** `WEIR_UPDATE_DOCS=1` rewrites the table instead of comparing it. */
// oxlint-disable-next-line no-restricted-properties -- a switch for anyone who runs the specs, no setting of the server
const isUpdate = process.env.WEIR_UPDATE_DOCS === '1';

describe('README.md', () => {
  it('lists the variables that the server reads', () => {
    const text = readFileSync(file, 'utf8');
    const updated = text.replace(marked, (_, begin: string, end: string) =>
      [begin, variableTable(variables), '\n', end].join('\n'),
    );
    if (isUpdate) writeFileSync(file, updated);

    expect(text).toMatch(marked);
    expect(readRows(isUpdate ? updated : text)).toEqual(readRows(updated));
  });
});

/** Without the padding that a formatter puts into tables. */
function readRows(text: string): readonly (readonly string[])[] {
  const table = marked.exec(text)?.[0] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('|') && !/^\|[\s|-]+$/.test(line));
  return rows.map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
}
