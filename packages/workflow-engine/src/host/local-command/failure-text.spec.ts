import { failureText } from './failure-text';

describe('failureText', () => {
  it.each([
    ['status alone', { exitCode: 3, signal: null }, ' \n', 'exit status 3'],
    ['signal', { exitCode: null, signal: 'SIGKILL' as const }, '', 'ended by SIGKILL'],
    ['stderr', { exitCode: 1, signal: null }, 'no such\tfile\n', 'exit status 1: no such\tfile'],
    ['last line of stderr, and all of it below', { exitCode: 1, signal: null }, 'a\nb\n', 'exit status 1: b\na\nb'],
    ['terminal codes', { exitCode: 1, signal: null }, '\u001B[1;31mred\u001B[0m\r\u0007', 'exit status 1: red'],
  ])('has the %s', (_case, exit, tail, expected) => {
    expect(failureText(exit, tail)).toBe(expected);
  });
});
