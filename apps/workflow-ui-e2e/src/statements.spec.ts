import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listProofs, statementTable } from './support/statement-table';

const page = path.resolve(__dirname, '../../../docs/specs/interface/what-a-person-can-do.md');
const [begin, end] = ['<!-- statements:begin -->', '<!-- statements:end -->'];

describe('docs/specs/interface/what-a-person-can-do.md', () => {
  it('names the specs that prove each statement', () => {
    const text = readFileSync(page, 'utf8');
    const [head = '', rest = ''] = text.split(begin);
    const [, tail = ''] = rest.split(end);
    const wanted = `${head}${begin}\n\n${statementTable(listProofs())}\n\n${end}${tail}`;
    if (process.env.WEIR_UPDATE_DOCS === '1') writeFileSync(page, wanted);

    expect(readFileSync(page, 'utf8')).toBe(wanted);
  });
});
