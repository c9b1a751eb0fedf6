import path from 'node:path';
import { parseDag } from '@weir/workflow-spec';
import { aRun, aRunStep } from '../../testing/run-builders';
import { resolveRunValues } from '../../values/run-values/run-values';
import { buildStepCommand } from './build-step-command';

const hostEnv = { PATH: '/bin', HOME: '/home/me', SHELL: '/bin/zsh', SECRET: 'x', WEIR_JWT_SECRET: 'y' };
const run = aRun({
  workDir: '/srv/run',
  resolvedParams: [
    { name: 'who', value: 'Ada; rm' },
    { name: 'LD_PRELOAD', value: '/tmp/evil.so', undeclared: true },
  ],
});
const stored = aRunStep({ stdoutFile: '/logs/out', stderrFile: '/logs/err' });

const buildCommand = (spec: string, values: Partial<typeof run> = {}, defaultShell?: readonly string[]) => {
  const { dag } = parseDag(spec, { name: 'nightly' });
  const [step] = dag.steps;
  if (step === undefined) throw new Error('The spec of this case has no step.');
  const sources = {
    run: { ...run, ...values },
    dag,
    hostEnv,
    passthrough: { names: [], prefixes: [] },
    dagsDir: '/dags',
  };
  const resolved = resolveRunValues(sources, sources.run.resolvedParams, {});
  return buildStepCommand({ dag, ports: { defaultShell } }, { step, stored, values: resolved });
};
const withStep = (step: string, dag = ''): string => `${dag}steps:\n  - {name: a, run: "true"${step}}\n`;

describe('buildStepCommand', () => {
  it('lets later environments win, keeps secrets out, and resolves references', () => {
    const { env } = buildCommand(
      withStep(
        ', env: {B: "step $A ${params.who}", DAG_NAME: mine}',
        'params: who=you\nenv:\n  - A: dag $HOME\n  - B: dag\n  - C: ${A}!\n',
      ),
    );

    expect(env).toMatchObject({
      PATH: '/bin',
      who: 'Ada; rm',
      A: 'dag /home/me',
      B: 'step dag /home/me Ada; rm',
      C: 'dag /home/me!',
      DAG_NAME: 'nightly',
      DAG_RUN_ID: 'run-1',
      DAG_RUN_STEP_NAME: 'a',
      DAG_RUN_STEP_STDOUT_FILE: '/logs/out',
    });
    // Nobody declared it, so a start request must not bring it in.
    expect(env).not.toHaveProperty('LD_PRELOAD');
    expect(env).not.toHaveProperty('SECRET');
    expect(env).not.toHaveProperty('WEIR_JWT_SECRET');
  });

  it('replaces references of the language in commands and leaves others to the shell', () => {
    const { run: texts } = buildCommand(
      'steps:\n  - {name: a, run: ["echo ${params.who} ${env.HOME} $who ${who} $(date)"]}\n',
    );

    expect(texts).toEqual({
      kind: 'commands',
      commands: ["__weir_1='Ada; rm'; echo ${=__weir_1} /home/me $who ${who} $(date)"],
    });
  });

  it('resolves constants, the context of the run and the step, and positional parameters', () => {
    const { run: texts, args } = buildCommand(
      'params: one two\nconsts: [{limit: 7}]\nsteps:\n  - {id: a, name: first, run: ["${consts.limit} ${context.run.id} ${context.step.id} ${context.step.name} ${context.paths.step_stdout_file} ${context.run.status} $1"]}\n',
      {
        resolvedParams: [
          { name: '1', value: 'x y' },
          { name: '2', value: 'two' },
        ],
      },
    );

    expect(texts).toEqual({ kind: 'commands', commands: ['7 run-1 a first /logs/out ${context.run.status} $1'] });
    expect(args).toEqual(['x y', 'two']);
  });

  it.each([
    ['the folder of the run', withStep(''), {}, '/srv/run'],
    ['the step, by the DAG', withStep(', working_dir: sub', 'working_dir: base\n'), {}, '/dags/base/sub'],
    ['the step, by the run', withStep(', working_dir: sub'), {}, '/srv/run/sub'],
    ['the DAG, by its file', withStep('', 'working_dir: base\n'), {}, '/dags/base'],
    ['the DAG, by a file elsewhere', withStep('', 'working_dir: base\n'), { fileName: '/else/a.yaml' }, '/else/base'],
    ['the DAG, by the run without a file', withStep('', 'working_dir: base\n'), { fileName: null }, '/srv/run/base'],
    ['home', withStep('', 'working_dir: ~/x\n'), {}, '/home/me/x'],
    ['references', withStep('', 'working_dir: $HOME/${params.who}\n'), {}, '/home/me/Ada; rm'],
    ['an absolute path', withStep(', working_dir: /abs', 'working_dir: base\n'), {}, '/abs'],
  ])('takes the working folder from %s', (_, spec, values, expected) => {
    const { cwd } = buildCommand(spec, values);

    expect(cwd).toBe(expected);
    expect(path.isAbsolute(cwd)).toBe(true);
  });

  it.each([
    ['the step', withStep(', shell: "bash -x"', 'shell: dash\n'), ['ksh'], ['bash', '-x'], true],
    ['the DAG', withStep('', 'shell: dash\n'), ['ksh'], ['dash'], false],
    ['the configuration', withStep(''), ['ksh'], ['ksh'], false],
    ['the user', withStep(''), undefined, ['/bin/zsh'], false],
  ])('takes the shell from %s', (_, spec, defaultShell, shell, isStepShell) => {
    expect(buildCommand(spec, {}, defaultShell)).toMatchObject({ shell, isStepShell });
  });
});
