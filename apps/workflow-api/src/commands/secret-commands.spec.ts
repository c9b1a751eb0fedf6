import { writeFile } from 'node:fs/promises';
import { useCommands } from './testing/use-commands';

const { home, begin } = useCommands();

const spec = `secrets:
  - {name: TOKEN, provider: env, key: MY_TOKEN}
  - {name: PASSWORD, provider: file, key: password}
  - {name: STORED, ref: db/password}
steps:
  - run: echo
`;

const run = async (...words: readonly string[]) => {
  const command = begin(['secret', 'resolve', ...words], { MY_TOKEN: 'abc-token' });
  return { exitCode: await command.exitCode, out: command.out(), errors: command.errors() };
};

beforeEach(async () => {
  await writeFile(home().file('dags', 'guarded.yaml'), spec);
  await writeFile(home().file('dags', 'password'), 'open sesame\n');
});

describe('weir secret resolve', () => {
  it('says for each secret whether a run would get it, and shows no value', async () => {
    const { exitCode, out, errors } = await run('guarded');
    expect(out).toBe('TOKEN: found, 9 bytes\nPASSWORD: found, 11 bytes');
    expect(errors).toBe('weir: The secret "STORED" cannot be used: there is no secret "db/password".');
    expect(exitCode).toBe(1);
  });

  it('prints the value of one secret alone', async () => {
    await expect(run('guarded', '--value', 'PASSWORD')).resolves.toEqual({
      exitCode: 0,
      out: 'open sesame',
      errors: '',
    });
  });

  it('refuses a name that the DAG does not have', async () => {
    const { exitCode, errors } = await run('guarded', '--value', 'NONE');
    expect({ exitCode, errors }).toEqual({ exitCode: 1, errors: 'weir: The DAG has no secret "NONE".' });
  });
});
