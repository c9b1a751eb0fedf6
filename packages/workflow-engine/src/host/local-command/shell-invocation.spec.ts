import { commandInvocation, needsScriptFile, scriptInvocation } from './shell-invocation';

const defaultShell = (...shell: readonly string[]) => ({ shell, isStepShell: false });
const stepShell = (...shell: readonly string[]) => ({ shell, isStepShell: true });

describe('commandInvocation', () => {
  it.each([
    ['a default Unix shell gets -e', defaultShell('/bin/bash', '-u'), ['/bin/bash', '-e', '-u', '-c', 'echo "$X"; ls']],
    ['another default shell does not', defaultShell('fish'), ['fish', '-c', 'echo "$X"; ls']],
    ['a shell of the step is used as written', stepShell('bash'), ['bash', '-c', 'echo "$X"; ls']],
    ['-c is not given twice', stepShell('bash', '-lc'), ['bash', '-lc', 'echo "$X"; ls']],
  ])('%s', (_case, shell, expected) => {
    const { program, args } = commandInvocation('echo "$X"; ls', shell);

    expect([program, ...args]).toEqual(expected);
  });
});

describe('arguments', () => {
  const args = ['one', '$(two)'];

  it.each([
    [
      'follow the command',
      commandInvocation('echo $1', { ...defaultShell('sh'), args }),
      ['-e', '-c', 'echo $1', 'sh', ...args],
    ],
    [
      'are not for a shell of another kind',
      commandInvocation('echo', { ...defaultShell('fish'), args }),
      ['-c', 'echo'],
    ],
    ['follow the file', scriptInvocation('ls', '/tmp/s', { ...defaultShell('sh'), args }), ['-e', '/tmp/s', ...args]],
    [
      'follow the file of a #! line',
      scriptInvocation('#!/bin/a\n', '/tmp/s', { ...defaultShell('sh'), args }),
      ['/tmp/s', ...args],
    ],
  ])('%s', (_case, invocation, expected) => {
    expect(invocation.args).toEqual(expected);
  });
});

describe('scriptInvocation', () => {
  it.each([
    ['the shell runs the file', 'ls\nls', defaultShell('sh'), ['sh', '-e', '/tmp/s']],
    ['-c does not stand before a file', 'ls\nls', stepShell('bash', '-c'), ['bash', '/tmp/s']],
    ['what is bundled with -c stays', 'ls\nls', stepShell('bash', '-lc'), ['bash', '-l', '/tmp/s']],
    ['a #! line counts', '#!/usr/bin/python3\nprint()', defaultShell('sh'), ['/usr/bin/python3', '/tmp/s']],
    ['it has one argument', '#! /usr/bin/env -S a b\r\nx', defaultShell('sh'), ['/usr/bin/env', '-S a b', '/tmp/s']],
    ['not if the step names its shell', '#!/usr/bin/python3\nx', stepShell('zsh'), ['zsh', '/tmp/s']],
    ['an empty #! line counts for nothing', '#!\nls', defaultShell('sh'), ['sh', '-e', '/tmp/s']],
  ])('%s', (_case, script, shell, expected) => {
    const { program, args } = scriptInvocation(script, '/tmp/s', shell);

    expect([program, ...args]).toEqual(expected);
  });
});

describe('needsScriptFile', () => {
  it.each([
    ['echo one', false],
    ['echo one\n', false],
    ['echo one\necho two', true],
    ['#!/bin/sh', true],
    [`echo ${'x'.repeat(100_000)}`, true],
  ])('%#', (text, expected) => {
    expect(needsScriptFile(text)).toBe(expected);
  });
});
