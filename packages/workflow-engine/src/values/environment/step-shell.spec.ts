import { chooseShell } from './step-shell';

const scope = { params: new Map([['shell', 'bash']]), env: new Map([['SHELL_NAME', 'zsh']]) };

describe('chooseShell', () => {
  it.each([
    ['the one of the step', ['zsh', '-f'], ['bash'], ['dash'], '/bin/ksh', ['zsh', '-f'], true],
    ['the one of the DAG', undefined, ['bash', '-u'], ['dash'], '/bin/ksh', ['bash', '-u'], false],
    ['the configured one', undefined, undefined, ['dash'], '/bin/ksh', ['dash'], false],
    ['the one of the user', undefined, undefined, undefined, '/bin/ksh', ['/bin/ksh'], false],
    ['sh', undefined, undefined, undefined, undefined, ['sh'], false],
    ['sh where all are empty', [], [], [], '', ['sh'], false],
  ])('uses %s', (_case, step, dag, configured, user, shell, isStepShell) => {
    const chosen = chooseShell(step === undefined ? {} : { shell: step }, dag === undefined ? {} : { shell: dag }, {
      configured,
      user,
      scope,
    });

    expect(chosen).toEqual({ shell, isStepShell });
  });

  it('replaces the references in the words of a shell from the file', () => {
    expect(chooseShell({ shell: ['${params.shell}', '-e'] }, {}, { scope }).shell).toEqual(['bash', '-e']);
    expect(chooseShell({}, { shell: ['$SHELL_NAME'] }, { scope }).shell).toEqual(['zsh']);
  });
});
