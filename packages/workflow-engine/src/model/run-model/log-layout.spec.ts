import { basename, dirname, normalize, resolve } from 'node:path';
import fc from 'fast-check';
import { dagFolderName, runLogLayout, stepOutputFile } from './log-layout';

const catchError = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

const aLayout = (stepNames: readonly string[], dagName = 'nightly') =>
  runLogLayout({
    logDir: '/var/lib/weir/logs',
    dagName,
    runId: 'run-1',
    createdAt: new Date('2026-11-21T09:30:00.123Z'),
    stepNames,
  });

describe('runLogLayout', () => {
  it('puts a run in a folder of its DAG, named by time and id', () => {
    expect(aLayout(['Fetch data!', 'merge'])).toEqual({
      folder: '/var/lib/weir/logs/nightly/20261121T093000123Z_run-1',
      runLogFile: '/var/lib/weir/logs/nightly/20261121T093000123Z_run-1/run.log',
      steps: [
        {
          stdoutFile: '/var/lib/weir/logs/nightly/20261121T093000123Z_run-1/0000-Fetch-data.out',
          stderrFile: '/var/lib/weir/logs/nightly/20261121T093000123Z_run-1/0000-Fetch-data.err',
        },
        {
          stdoutFile: '/var/lib/weir/logs/nightly/20261121T093000123Z_run-1/0001-merge.out',
          stderrFile: '/var/lib/weir/logs/nightly/20261121T093000123Z_run-1/0001-merge.err',
        },
      ],
    });
  });

  it.each([
    '../../etc/passwd',
    '..',
    '.',
    '/',
    '',
    'a\0b',
    '🚀🚀',
    '\n',
    '-rf',
    'é'.repeat(127),
    'x'.repeat(255),
    'run',
  ])('keeps the logs of a step named %j in the folder of the run', (name) => {
    const { folder, steps, runLogFile } = aLayout([name]);
    const file = steps[0]?.stdoutFile ?? '';

    expect(dirname(file)).toBe(folder);
    expect(normalize(file)).toBe(file);
    expect(basename(file)).toMatch(/^0000-[A-Za-z0-9_][A-Za-z0-9_-]{0,47}\.out$/);
    expect(file).not.toBe(runLogFile);
  });

  it('gives names that differ only by case different files, even if the file system ignores case', () => {
    const files = aLayout(['Build', 'build', 'BUILD']).steps.flatMap(({ stdoutFile, stderrFile }) => [
      stdoutFile.toLowerCase(),
      stderrFile.toLowerCase(),
    ]);

    expect(new Set(files).size).toBe(6);
  });

  it('keeps any names confined and distinct', () => {
    const names = fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 20 });
    fc.assert(
      fc.property(names, fc.string({ unit: 'binary', minLength: 1, maxLength: 15 }), (stepNames, dagName) => {
        const { folder, steps } = aLayout(stepNames, dagName);
        const files = steps.flatMap(({ stdoutFile, stderrFile }) => [stdoutFile, stderrFile]);

        expect(dirname(dirname(resolve(folder)))).toBe('/var/lib/weir/logs');
        expect(files.every((file) => dirname(resolve(file)) === folder)).toBe(true);
        expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
      }),
    );
  });

  it('refuses a run id that could leave the folder', () => {
    const options = { logDir: '/logs', dagName: 'a', runId: '../x', createdAt: new Date(0), stepNames: [] };

    expect(catchError(() => runLogLayout(options))).toMatchObject({ reason: 'invalid_run_id' });
  });
});

describe('one log for both streams of a step', () => {
  it('is for the steps that ask for it, and has a name of its own', () => {
    const options = { logDir: '/l', dagName: 'a', runId: 'run-1', createdAt: new Date(0), stepNames: ['one', 'two'] };
    const { steps, folder } = runLogLayout({ ...options, isMerged: (index) => index === 1 });

    expect(steps.map(({ stdoutFile }) => basename(stdoutFile))).toEqual(['0000-one.out', '0001-two.log']);
    expect(steps.map(({ stderrFile }) => basename(stderrFile))).toEqual(['0000-one.err', '0001-two.log']);
    expect(steps.map(({ stdoutFile }) => stepOutputFile(stdoutFile))).toEqual([
      `${folder}/0000-one.outputs`,
      `${folder}/0001-two.outputs`,
    ]);
  });
});

describe('folderNameOfDag', () => {
  it.each([
    ['nightly.v2_final-1', 'nightly.v2_final-1'],
    ['..', '%2E.'],
    ['.hidden', '%2Ehidden'],
    ['a/b', 'a%2Fb'],
    ['a%2Fb', 'a%252Fb'],
    ['é', '%C3%A9'],
  ])('turns %j into %s', (name, folder) => {
    expect(dagFolderName(name)).toBe(folder);
  });

  it.each(['', 'x'.repeat(201)])('refuses a name that is not a folder name: %j', (name) => {
    expect(catchError(() => dagFolderName(name))).toMatchObject({ reason: 'dag_name_unusable' });
  });
});
