import { AppError } from '@weir/foundation';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { EOL } from 'node:os';
import type { ActionsRuntime } from '../runner/actions-runtime';
import { executeAction } from './execute-action';
import { createActionsRuntime, type Core } from './create-actions-runtime';

/** Records the calls in order. */
function aCore() {
  const calls: string[] = [];
  const note =
    (name: string) =>
    (...args: readonly unknown[]) =>
      void calls.push([name, ...args].join(' '));
  const core = {
    debug: note('debug'),
    error: note('error'),
    exportVariable: note('exportVariable'),
    info: note('info'),
    notice: note('notice'),
    saveState: note('saveState'),
    setOutput: note('setOutput'),
    setSecret: note('setSecret'),
    warning: note('warning'),
  };
  return { core: core satisfies Core, calls };
}

const withEnv = (env: ActionsRuntime['env']) => createActionsRuntime(aCore().core, { env, inputDefaults: {} });

describe('createActionsRuntime', () => {
  it.each([
    ['a value without its blanks', { INPUT_PROJECT_ID: ' my-project\n' }, 'my-project'],
    ['an empty text for an empty input', { INPUT_PROJECT_ID: '' }, ''],
    ['undefined for a missing input', {}, undefined],
  ])('reads %s', (_, env, value) => {
    expect(withEnv(env).input('project_id')).toBe(value);
  });

  it('reads a name with a space as the runner writes it', () => {
    expect(withEnv({ INPUT_A_B: '1' }).input('a b')).toBe('1');
  });

  it('forwards to the toolkit', () => {
    const { core, calls } = aCore();
    const runtime = createActionsRuntime(core, { env: {}, inputDefaults: {} });
    runtime.debug('a');
    runtime.info('b');
    runtime.notice('c');
    runtime.warning('d');
    runtime.setOutput('o', '1');
    runtime.exportVariable('E', '2');
    runtime.saveState('s', '3');
    expect(calls).toEqual([
      'debug a',
      'info b',
      'notice c',
      'warning d',
      'setOutput o 1',
      'exportVariable E 2',
      'saveState s 3',
    ]);
  });

  it.each([
    ['setOutput', 'GITHUB_OUTPUT', Object.assign(new Error('no space: the-secret'), { code: 'ENOSPC' }), '(ENOSPC)'],
    ['exportVariable', 'GITHUB_ENV', new Error('Missing file at path: the-secret'), '(it is missing)'],
    ['saveState', 'GITHUB_STATE', Object.assign(new Error('the-secret'), { code: 'EACCES' }), '(EACCES)'],
  ] as const)('fails if %s cannot write the file in %s', (method, variable, failure, why) => {
    const failing = () => {
      throw failure;
    };
    const runtime = createActionsRuntime({ ...aCore().core, [method]: failing }, { env: {}, inputDefaults: {} });
    expect(() => runtime[method]('a', 'the-secret')).toThrow(
      expect.objectContaining({
        reason: 'runner_file_unwritable',
        message: `The file of the runner in ${variable} could not be written ${why}.`,
      }) as Error,
    );
  });

  it('masks a secret, and ignores a blank one', () => {
    const { core, calls } = aCore();
    const runtime = createActionsRuntime(core, { env: {}, inputDefaults: {} });
    runtime.mask('secret');
    runtime.mask(' \n');
    expect(calls).toEqual(['setSecret secret']);
  });

  describe('writeSummary', () => {
    let folder: TemporaryFolder;
    beforeEach(() => {
      folder = temporaryFolder();
    });
    afterEach(() => folder.remove());

    it('appends lines to the file of the runner', () => {
      const file = folder.file('summary');
      writeFileSync(file, `Before.${EOL}`);
      withEnv({ GITHUB_STEP_SUMMARY: file }).writeSummary('# Text');
      withEnv({ GITHUB_STEP_SUMMARY: file }).writeSummary('More.');
      expect(readFileSync(file, 'utf8').split(EOL)).toEqual(['Before.', '# Text', 'More.', '']);
    });

    it('fails if the file is missing, and creates none', () => {
      const file = folder.file('missing');
      expect(() => withEnv({ GITHUB_STEP_SUMMARY: file }).writeSummary('# Text')).toThrow('ENOENT');
      expect(existsSync(file)).toBe(false);
    });

    it('only logs if the runner does not support it', () => {
      const { core, calls } = aCore();
      createActionsRuntime(core, { env: {}, inputDefaults: {} }).writeSummary('# Text');
      expect(calls).toEqual(['debug This runner does not support step summaries.']);
    });
  });
});

describe('executeAction', () => {
  async function execute(run: () => Promise<void>, stray?: unknown) {
    const { core, calls } = aCore();
    await executeAction({
      core,
      runtime: createActionsRuntime(core, { env: {}, inputDefaults: {} }),
      run,
      onUncaught: (listener) => {
        if (stray !== undefined) listener(stray);
      },
      exit: (code) => void calls.push(`end ${code}`),
    });
    return calls;
  }

  it('exits with 0 and without output on success', async () => {
    await expect(execute(() => Promise.resolve())).resolves.toEqual(['end 0']);
  });

  it('reports a failure in one annotation, with its stack and its cause in the debug log', async () => {
    const failure = new AppError('forbidden', 'Refused. Do this.', { cause: 'socket' });
    const calls = await execute(() => Promise.reject(failure));
    expect(calls).toEqual([`debug ${failure.stack ?? ''}`, 'debug socket', 'error Refused. Do this.', 'end 1']);
  });

  it.each([
    ['an error', new Error('Odd.'), 'unexpected error: Odd.'],
    ['any other value', 'odd', 'unexpected error: odd'],
  ])('reports %s as a bug', async (_, thrown, message) => {
    // Anything can be thrown.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    const calls = await execute(() => Promise.reject(thrown));
    expect(calls.at(-2)).toContain(message);
    expect(calls.at(-1)).toBe('end 1');
  });

  it('fails with an uncaught exception without waiting for the run', async () => {
    const calls = await execute(() => new Promise(() => undefined), new Error('Socket.'));
    expect(calls.slice(-2)).toEqual([expect.stringContaining('Socket.'), 'end 1']);
  });
});
