interface JestResults {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

export function suitesToTryAgain(results: JestResults): string[];
export function concludeRun(run: { root: string; first: JestResults; second?: JestResults }): {
  failed: string[];
  unstable: string[];
  passed: number;
  skipped: number;
};
