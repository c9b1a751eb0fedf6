import { execFileSync, spawnSync } from 'node:child_process';
import { shellQuote } from '../../values/shell-text/shell-quote';
import { remoteCall, type RemoteText } from './remote-call';

const call = (text: Partial<RemoteText>) => remoteCall({ kind: 'command', text: 'date', shell: [], env: {}, ...text });

/** As the login shell of a host would. */
function execute(text: Partial<RemoteText>) {
  const { command, input } = call(text);
  const { stdout, status } = spawnSync('/bin/sh', ['-c', command], {
    input,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', SHELL: '/bin/sh' },
    encoding: 'utf8',
    timeout: 10_000,
  });
  return { stdout, status };
}

describe('remoteCall', () => {
  it('requests a single command unchanged', () => {
    expect(call({ text: 'show version | less' })).toEqual({ command: 'show version | less', input: '' });
  });

  it.each([
    ['a shell', ['bash', '-e'], "bash -e -c 'echo $1'"],
    ['a shell that is told so already', ['/bin/sh', '-ec'], "/bin/sh -ec 'echo $1'"],
  ])('passes a command to %s', (_, shell, command) => {
    expect(call({ text: 'echo $1', shell })).toEqual({ command, input: '' });
  });

  it.each([
    ['a script', { kind: 'script', text: 'a=1\necho "$a"' }, '1\n', 0],
    ['an environment', { text: 'echo "$A"', env: { A: 'it\'s "$HOME" `x`\n2' } }, 'it\'s "$HOME" `x`\n2\n', 0],
    ['a shell of its own', { kind: 'script', text: 'false\necho on', shell: ['sh'] }, 'on\n', 0],
    ['its exit code', { kind: 'script', text: 'echo a; exit 7' }, 'a\n', 7],
    ['its first failure', { kind: 'script', text: 'false\necho on' }, '', 1],
    ['a document at its end', { kind: 'script', text: 'cat <<END\nx\nEND' }, 'x\n', 0],
    ['its first line', { kind: 'script', text: '#!/bin/cat\nwhole' }, '#!/bin/cat\nwhole', 0],
    ['its first line with env', { kind: 'script', text: '#!/usr/bin/env sh\necho on' }, 'on\n', 0],
    [
      'its first line with options of env, and an environment',
      { kind: 'script', text: '#!/usr/bin/env -S sh -e\nfalse\necho on', env: { A: '1' } },
      '',
      1,
    ],
    ['a reader that finds nothing', { kind: 'script', text: 'cat\necho on' }, 'on\n', 0],
  ] as const)('executes %s', (_, text, stdout, status) => {
    expect(execute(text)).toEqual({ stdout, status });
  });

  it('refuses an environment for a program other than a shell', () => {
    expect(() => call({ shell: ['python3'], env: { A: '1' } })).toThrow('needs a Unix shell');
  });
});

describe('shellQuote', () => {
  it.each(['', 'plain', "it's", '$HOME `x` "y" \\', 'two\nlines', '*'])('keeps %j unchanged', (text) => {
    expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' })).toBe(text);
  });
});
