/** A DAG with the step `extract`, which prints "hello". */
export const aSpec = (rest = ''): string => `${rest}steps:\n  - name: extract\n    run: echo hello\n`;
