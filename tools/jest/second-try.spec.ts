import { concludeRun, suitesToTryAgain } from './second-try.cjs';

const aCase = (fullName: string, error?: string) => ({
  fullName,
  status: error === undefined ? 'passed' : 'failed',
  failureMessages: error === undefined ? [] : [error],
});
const aSuite = (name: string, assertionResults: ReturnType<typeof aCase>[], message = '') => ({
  name: `/w/${name}`,
  status: message !== '' || assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  message,
  assertionResults,
});
const results = (...testResults: ReturnType<typeof aSuite>[]) => ({
  numPassedTests: testResults.flatMap((suite) => suite.assertionResults).filter(({ status }) => status === 'passed')
    .length,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults,
});
const conclude = (first: ReturnType<typeof results>, second?: ReturnType<typeof results>) =>
  concludeRun({ root: '/w', first, ...(second === undefined ? {} : { second }) });

describe('a run whose suites all passed', () => {
  it('counts its cases', () => {
    const first = results(aSuite('a.spec.ts', [aCase('adds'), aCase('subtracts')]));

    expect(suitesToTryAgain(first)).toEqual([]);
    expect(conclude(first)).toEqual({ failed: [], unstable: [], passed: 2, skipped: 3 });
  });
});

describe('a suite that failed', () => {
  const first = results(
    aSuite('a.spec.ts', [aCase('adds'), aCase('subtracts', '\u001B[31mExpected 1\u001B[39m\nReceived 2')]),
    aSuite('b.spec.ts', [aCase('divides')]),
  );

  it('is tried again by itself', () => {
    expect(suitesToTryAgain(first)).toEqual(['/w/a.spec.ts']);
  });

  it('is unstable when it passes the second time, with the error of the first', () => {
    expect(conclude(first, results(aSuite('a.spec.ts', [aCase('adds'), aCase('subtracts')])))).toEqual({
      failed: [],
      unstable: ['a.spec.ts: subtracts: Expected 1'],
      passed: 3,
      skipped: 3,
    });
  });

  it.each([
    ['fails again', results(aSuite('a.spec.ts', [aCase('adds'), aCase('subtracts', 'Expected 1')]))],
    ['was not tried again', undefined],
    ['is missing from the second try', results()],
  ])('has failed when it %s', (_condition, second) => {
    expect(conclude(first, second)).toMatchObject({ failed: ['a.spec.ts: subtracts: Expected 1'], unstable: [] });
  });

  it('counts once when it could not be loaded', () => {
    const broken = results(aSuite('a.spec.ts', [], "● Test suite failed to run\n\nCannot find module 'x'"));

    expect(conclude(broken)).toMatchObject({ failed: ["a.spec.ts: Cannot find module 'x'"], passed: 0 });
  });
});

it('tries nothing again when more suites failed than chance explains', () => {
  const suites = Array.from({ length: 21 }, (_, index) => aSuite(`${index}.spec.ts`, [aCase('adds', 'Expected 1')]));

  expect(suitesToTryAgain(results(...suites))).toEqual([]);
  expect(suitesToTryAgain(results(...suites.slice(1)))).toHaveLength(20);
});
