import { readFileSync } from 'node:fs';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runPost } from './run-post';
import { restoreVariables } from './restore-variables';
import { formatState, stateNames } from '../runner/state';

describe('restoreVariables', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const post = async (state: string, file?: string): Promise<string> => {
    let written = '';
    await runPost({
      env: { [`STATE_${stateNames.variables}`]: state, GITHUB_ENV: file },
      write: (text) => (written += text),
      revocationTimeoutMs: 1,
    });
    return written;
  };

  it('writes each value with an end that the value does not contain', async () => {
    const file = folder.file('env');

    expect(await post(formatState({ A: 'one', B: 'weir_end_0\n', C: '' }), file)).toContain(
      'The environment variables have their previous values.\n',
    );
    expect(readFileSync(file, 'utf8')).toBe(
      'A<<weir_end_0\none\nweir_end_0\nB<<weir_end_1\nweir_end_0\n\nweir_end_1\nC<<weir_end_0\n\nweir_end_0\n',
    );
  });

  it('warns if the file cannot be written, and does not fail', async () => {
    expect(await post(formatState({ A: '1' }), folder.path)).toContain(
      '::warning::The environment variables were not restored (EISDIR).\n',
    );
    expect(restoreVariables({ A: '1' }, undefined)).toContain('GITHUB_ENV is not set');
  });

  it.each([
    ['is not JSON', 'x'],
    ['has a name that no variable of the action has', '{"a b":"1"}'],
    ['has a value that is no text', '{"A":1}'],
  ])('restores nothing if the state %s', async (_, state) => {
    expect(await post(state, folder.file('env'))).toContain('so nothing was cleaned up');
  });
});
