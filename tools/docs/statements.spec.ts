import { listProofs, statementTable } from './statement-table';
import { missingOperations } from './statements';

describe('what a person can do', () => {
  it('is proved by a spec that names the statement, or waits for an operation', () => {
    const unproved = listProofs().filter(({ number, specs }) => specs.length === 0 && !missingOperations.has(number));
    expect(unproved).toEqual([]);
  });
});

describe('statementTable', () => {
  it('names the specs of a statement', () => {
    const proofs = [
      { number: 1, text: 'sign in', specs: ['a.spec.ts', 'b.spec.ts'] },
      { number: 2, text: 'sign out', specs: [] },
    ];
    expect(statementTable(proofs).split('\n').slice(2)).toEqual([
      '| 1 | sign in | `a.spec.ts`, `b.spec.ts` |',
      '| 2 | sign out | not yet |',
    ]);
  });
});
