import { proofsOfContract, proofTable, type Proof } from './proof-table';
import { seedEndpoints } from './seed-endpoints';
import { listServed, listUnserved, servedTable } from './served-operations';

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

describe('proofTable', () => {
  it('names the end-to-end specs of an answer, or else the others', () => {
    const success = { operation: 'GET /health', access: 'public', status: 200, isSuccess: true };
    const shown = { ...success, endToEnd: ['service.spec.ts'], others: ['health.spec.ts'] };
    const refusal = { ...success, status: 503, isSuccess: false, endToEnd: [], others: ['health.spec.ts'] };
    expect(proofTable([shown, refusal]).split('\n').slice(2)).toEqual([
      '| `GET /health` | public | 200 | `service.spec.ts` |',
      '| `GET /health` | public | 503 | `health.spec.ts` |',
    ]);
  });
});

describe('servedTable', () => {
  it('has a row of each operation, with its tag', () => {
    expect(
      servedTable(new Map([['system', ['GET /health']]]))
        .split('\n')
        .slice(2),
    ).toEqual(['| system | `GET /health` |']);
  });
});
