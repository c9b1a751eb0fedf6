import { containerCalls } from './container-command';

const ofDefault = { shell: ['sh'], isStepShell: false, args: ['a', 'b c'] };
const script = (text: string) => ({ kind: 'script', script: text }) as const;

describe('containerCalls', () => {
  it('passes each command to the shell', () => {
    const calls = containerCalls({ ...ofDefault, run: { kind: 'commands', commands: ['echo 1', 'echo 2'] } });

    expect(calls).toEqual([
      { argv: ['sh', '-e', '-c', 'echo 1', 'sh', 'a', 'b c'], input: '' },
      { argv: ['sh', '-e', '-c', 'echo 2', 'sh', 'a', 'b c'], input: '' },
    ]);
  });

  it.each([
    ['the default shell', 'x', ofDefault, ['sh', '-e', '-s', '--', 'a', 'b c']],
    ['a shell of the step', 'x', { shell: ['bash', '-u', '-c'], isStepShell: true }, ['bash', '-u', '-s', '--']],
    ['the shell of its first line', '#!/bin/ash -x\nx', { ...ofDefault, args: [] }, ['/bin/ash', '-x', '-s', '--']],
    ['a shell that env starts', '#!/usr/bin/env ash\nx', ofDefault, ['/usr/bin/env', 'ash', '-s', '--', 'a', 'b c']],
  ])('has a script read by %s', (_, text, shell, argv) => {
    expect(containerCalls({ ...shell, run: script(text) })).toEqual([{ argv, input: `{\n${text}\n} </dev/null\n` }]);
  });

  it.each([
    ['of its first line', '#!/usr/bin/python3 -u\nx', ofDefault, ['/usr/bin/python3', '-u']],
    ['of the step', 'x', { shell: ['node'], isStepShell: true }, ['node']],
  ])('passes a script unchanged to a program %s', (_, text, shell, argv) => {
    expect(containerCalls({ ...shell, run: script(text) })).toEqual([{ argv, input: text }]);
  });
});
