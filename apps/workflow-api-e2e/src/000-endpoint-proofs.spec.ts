import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { proofsOfSeed, proofTable } from './support/proof-table';

const page = path.resolve(__dirname, '../../../docs/specs/000-endpoint-proofs.md');
const begin = '<!-- proofs:begin -->';
const end = '<!-- proofs:end -->';

describe('the proofs of the API', () => {
  const proofs = proofsOfSeed();

  it.each(proofs.map((proof) => [`${proof.operation} ${proof.status}`, proof] as const))(
    'has a case for %s',
    (_, proof) => {
      expect(proof.cases.length).toBeGreaterThan(0);
    },
  );

  it('are up to date in docs/specs', () => {
    const text = readFileSync(page, 'utf8');
    const [head = '', rest = ''] = text.split(begin);
    const [, tail = ''] = rest.split(end);
    const wanted = `${head}${begin}\n\n${proofTable(proofs)}\n\n${end}${tail}`;
    if (process.env.WEIR_UPDATE_DOCS === '1') writeFileSync(page, wanted);

    // Prettier aligns the columns of a table; only its words count here.
    const words = (markdown: string): string => markdown.replaceAll(/[ -]+/g, ' ');
    expect(words(readFileSync(page, 'utf8'))).toBe(words(wanted));
  });
});
