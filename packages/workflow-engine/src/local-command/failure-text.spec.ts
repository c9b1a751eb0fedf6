import { failureText } from './failure-text';

describe('failureText', () => {
  it.each([
    ['status alone', { exitCode: 3, signal: null }, ' \n', 'exit status 3'],
    ['signal', { exitCode: null, signal: 'SIGKILL' as const }, '', 'ended by SIGKILL'],
    ['stderr', { exitCode: 1, signal: null }, 'no such\tfile\nline 2\n', 'exit status 1: no such\tfile\nline 2'],
    ['terminal codes', { exitCode: 1, signal: null }, '\u001B[1;31mred\u001B[0m\r\u0007', 'exit status 1: red'],
  ])('has the %s', (_case, exit, tail, expected) => {
    expect(failureText(exit, tail)).toBe(expected);
  });
});
