import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { proofsOfContract, proofTable, type Proof } from '../support/proof-table';
import { seedEndpoints } from '../support/seed-endpoints';
import { listServed, listUnserved, servedTable } from '../support/served-operations';

const pageOf = (name: string): string => path.resolve(__dirname, '../../../../docs', name);
const proofs = proofsOfContract();
const titleOf = ({ operation, status }: Proof): string => `${operation} ${status}`;
const seeded = new Set(
  seedEndpoints.flatMap(([operation, statuses]) => statuses.map((status) => `${operation} ${status}`)),
);

describe('every operation of the contract', () => {
  it('has an end-to-end case of its success', () => {
    expect(proofs.filter(({ isSuccess, endToEnd }) => isSuccess && endToEnd.length === 0).map(titleOf)).toEqual([]);
  });

  it('has an end-to-end case of each answer that the first description names', () => {
    const shown = new Set(proofs.filter(({ endToEnd }) => endToEnd.length > 0).map(titleOf));
    expect([...seeded].filter((title) => !shown.has(title))).toEqual([]);
  });
});

describe('the known API', () => {
  it('is served whole', () => {
    expect([...listServed().values()].flat()).toHaveLength(166);
    expect(listUnserved()).toEqual([]);
  });
});

describe('the documents', () => {
  const sections = [
    ['specs/service/endpoint-proofs.md', 'proofs', proofTable(proofs)],
    ['reference/known-clients.md', 'served', servedTable(listServed())],
  ] as const;

  it.each(sections)('are up to date: %s, %s', (file, name, content) => {
    const page = pageOf(file);
    const text = readFileSync(page, 'utf8');
    const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
    const [head = '', rest = ''] = text.split(begin);
    const [, tail = ''] = rest.split(end);
    const wanted = `${head}${begin}\n\n${content}\n\n${end}${tail}`;
    if (process.env.WEIR_UPDATE_DOCS === '1') writeFileSync(page, wanted);

    expect(readFileSync(page, 'utf8')).toBe(wanted);
  });
});
