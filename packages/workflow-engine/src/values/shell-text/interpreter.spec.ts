import { finalProgram, isUnixShell, parseInterpreter } from './interpreter';

describe('parseInterpreter', () => {
  it.each([
    ['a program', '#!/bin/sh\necho', { program: '/bin/sh', args: [] }],
    ['one argument, whatever it holds', '#! /usr/bin/env -S a b\r\nx', { program: '/usr/bin/env', args: ['-S a b'] }],
    ['nothing after an empty line', '#!\nls', undefined],
    ['nothing without the line', 'ls\n#!/bin/sh', undefined],
  ])('reads %s', (_case, script, expected) => {
    expect(parseInterpreter(script)).toEqual(expected);
  });
});

describe('finalProgram', () => {
  it.each([
    ['/bin/bash', [], '/bin/bash'],
    ['/usr/bin/env', ['bash'], 'bash'],
    ['env', ['-S A=1 zsh -f'], 'zsh'],
    ['/usr/bin/env', [], '/usr/bin/env'],
    ['python3', ['bash'], 'python3'],
  ])('of %s with %j is %s', (program, args, expected) => {
    expect(finalProgram({ program, args })).toBe(expected);
  });
});

describe('isUnixShell', () => {
  it.each([
    ['/usr/local/bin/zsh', true],
    ['sh', true],
    ['fish', false],
    ['/bin/sh/python3', false],
  ])('%s: %s', (program, expected) => {
    expect(isUnixShell(program)).toBe(expected);
  });
});
