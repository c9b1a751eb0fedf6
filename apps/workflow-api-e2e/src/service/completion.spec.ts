import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { program } from '../support/weir-server';

const execute = promisify(execFile);

let home: TemporaryFolder;

beforeAll(async () => {
  home = temporaryFolder();
  await mkdir(home.file('bin'));
  await mkdir(home.file('weir', 'dags'), { recursive: true });
  await writeFile(home.file('bin', 'weir'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  });
  for (const name of ['orders', 'other']) {
    await writeFile(home.file('weir', 'dags', `${name}.yaml`), 'steps: [{run: echo}]\n');
  }
});
afterAll(() => home.remove());

const env = () => ({
  PATH: `${home.file('bin')}:${process.env.PATH ?? ''}`,
  HOME: home.path,
  WEIR_HOME: home.file('weir'),
});

/** What bash offers for a line whose last word is not complete. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const typed = words.map((word) => `'${word}'`).join(' ');
  // Of the package bash-completion, which distributions install with bash.
  const script = `_get_comp_words_by_ref() { cur=\${COMP_WORDS[COMP_CWORD]}; words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; }
source <(weir completion bash)
COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; COMP_LINE="${words.join(' ')}"; COMP_POINT=\${#COMP_LINE}
__weir_complete 2> /dev/null
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await execute('bash', ['-c', script], { env: env() });
  return stdout.split('\n').filter(Boolean);
}

describe('weir completion', () => {
  it.each([
    ['commands', ['weir', 'sta'], ['start-all', 'start', 'status']],
    ['flags', ['weir', 'history', '--f'], ['--from', '--format']],
    ['names of DAGs', ['weir', 'start', 'or'], ['orders']],
  ])('lets bash complete %s', async (_, words, offered) => {
    expect((await complete(...words)).toSorted()).toEqual(offered.toSorted());
  });

  it.each(['zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { stdout } = await execute(home.file('bin', 'weir'), ['completion', shell], { env: env() });
    expect(stdout).toContain(`${shell} completion for weir`);
  });

  it('refuses another shell', async () => {
    await expect(execute(home.file('bin', 'weir'), ['completion', 'csh'], { env: env() })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('bash, zsh, fish') as string,
    });
  });
});
