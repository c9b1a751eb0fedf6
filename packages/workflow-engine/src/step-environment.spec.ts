import { hostEnvironment, stepEnvironment, type StepEnvironmentOptions } from './step-environment';

const options = (changes: Partial<StepEnvironmentOptions> = {}): StepEnvironmentOptions => ({
  host: {},
  dagEnv: {},
  stepEnv: {},
  declaredParams: new Set(['1', 'REGION']),
  facts: {
    dagName: 'nightly',
    runId: 'run-1',
    runLogFile: '/logs/run.log',
    workDir: '/work',
    params: [
      { name: '1', value: 'first' },
      { name: 'REGION', value: 'eu "1"' },
    ],
    stepName: 'fetch all',
    stdoutFile: '/logs/0.out',
    stderrFile: '/logs/0.err',
  },
  ...changes,
});

describe('hostEnvironment', () => {
  it('passes what programs need and nothing else', () => {
    const host = {
      PATH: '/bin',
      LC_ALL: 'C',
      XDG_RUNTIME_DIR: '/run/user/1',
      DOCKER_HOST: 'unix:///x',
      HOME: undefined,
      DOCKER_PASSWORD: 'secret',
      WEIR_JWT_SECRET: 'secret',
      WEIR_DATABASE_URL: 'secret',
      WEIR_STEP_NAME: 'outer',
      AWS_SECRET_ACCESS_KEY: 'secret',
      path: 'x',
      NODE_OPTIONS: 'x',
    };

    expect(hostEnvironment(host)).toEqual({
      PATH: '/bin',
      LC_ALL: 'C',
      XDG_RUNTIME_DIR: '/run/user/1',
      DOCKER_HOST: 'unix:///x',
    });
  });
});

describe('stepEnvironment', () => {
  it('tells the step about its run under both families of names', () => {
    const params = '{"1":"first","REGION":"eu \\"1\\""}';

    expect(stepEnvironment(options())).toEqual({
      REGION: 'eu "1"',
      DAG_NAME: 'nightly',
      DAG_RUN_ID: 'run-1',
      DAG_RUN_LOG_FILE: '/logs/run.log',
      DAG_RUN_WORK_DIR: '/work',
      DAG_PARAMS_JSON: params,
      DAG_RUN_STEP_NAME: 'fetch all',
      DAG_RUN_STEP_STDOUT_FILE: '/logs/0.out',
      DAG_RUN_STEP_STDERR_FILE: '/logs/0.err',
      WEIR_DAG_NAME: 'nightly',
      WEIR_RUN_ID: 'run-1',
      WEIR_RUN_LOG_FILE: '/logs/run.log',
      WEIR_RUN_WORK_DIR: '/work',
      WEIR_PARAMS_JSON: params,
      WEIR_STEP_NAME: 'fetch all',
      WEIR_STEP_STDOUT_FILE: '/logs/0.out',
      WEIR_STEP_STDERR_FILE: '/logs/0.err',
    });
  });

  it('lets the step win over the DAG, the DAG over parameters, parameters over the host', () => {
    const environment = stepEnvironment(
      options({
        host: { LC_A: 'host', LC_B: 'host', REGION: 'host' },
        dagEnv: { LC_A: 'dag', LC_B: 'dag', REGION: 'dag' },
        stepEnv: { LC_A: 'step' },
      }),
    );

    expect(environment).toMatchObject({ LC_A: 'step', LC_B: 'dag', REGION: 'dag' });
  });

  it('lets nothing replace the facts about the run', () => {
    const stepEnv = { DAG_RUN_ID: 'other', WEIR_RUN_ID: 'other' };

    expect(stepEnvironment(options({ stepEnv }))).toMatchObject({ DAG_RUN_ID: 'run-1', WEIR_RUN_ID: 'run-1' });
  });

  it('makes no variable of a parameter that the DAG does not declare', () => {
    const host = { PATH: '/bin' };
    const params = [{ name: 'PATH', value: '/tmp/evil' }];
    const environment = stepEnvironment(options({ host, facts: { ...options().facts, params } }));

    expect(environment).toMatchObject({ PATH: '/bin', DAG_PARAMS_JSON: '{"PATH":"/tmp/evil"}' });
  });
});
