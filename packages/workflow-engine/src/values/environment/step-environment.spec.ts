import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hostEnvironment } from './host-environment';
import { reservedEnvNames } from '@weir/workflow-spec/values';
import { runVariableNames, type RunInfo } from './run-variables';
import { runEnvironment, stepEnvironment, type RunEnvironmentSources } from './step-environment';

const info: RunInfo = {
  dagName: 'nightly',
  runId: 'run-1',
  runLogFile: '/logs/run.log',
  workDir: '/work',
  params: [
    { name: '1', value: 'first' },
    { name: 'REGION', value: 'eu "1"' },
    { name: 'PATH', value: '/tmp/evil', undeclared: true },
  ],
};
const stepFacts: RunInfo = { ...info, stepName: 'fetch all', stdoutFile: '/logs/0.out', stderrFile: '/logs/0.err' };
const environment = (changes: Partial<RunEnvironmentSources> = {}) =>
  runEnvironment({
    host: {},
    declaredParams: [],
    dagEnv: {},
    dotenv: {},
    profile: { defaults: {}, chosen: {} },
    info,
    ...changes,
  });

describe('the profile of a run', () => {
  const names = ['HOST', 'PARAM', 'ENV', 'FILE', 'DAG_NAME'] as const;
  const all = (value: string) => Object.fromEntries(names.map((name) => [name, value]));

  it('gives defaults before parameters and the file, and its own values after both', () => {
    const sources = {
      host: { HOST: 'host' },
      declaredParams: [{ name: 'PARAM', value: 'param' }],
      dagEnv: { ENV: 'env' },
      dotenv: { FILE: 'file' },
    };
    const defaults = environment({ ...sources, profile: { defaults: all('default'), chosen: {} } });
    expect(defaults).toMatchObject({ HOST: 'default', PARAM: 'param', ENV: 'env', FILE: 'file', DAG_NAME: 'nightly' });

    const chosen = environment({ ...sources, profile: { defaults: all('default'), chosen: all('chosen') } });
    expect(chosen).toMatchObject({ ...all('chosen'), DAG_NAME: 'nightly' });
  });
});

describe('hostEnvironment', () => {
  const host = {
    PATH: '/bin',
    LC_ALL: 'C',
    XDG_RUNTIME_DIR: '/run/user/1',
    DOCKER_HOST: 'unix:///x',
    KUBERNETES_SERVICE_HOST: '10.0.0.1',
    DAGU_HOME: '/srv',
    HOME: undefined,
    DOCKER_PASSWORD: 'secret',
    DAGU_AUTH_TOKEN_SECRET: 'secret',
    WEIR_JWT_SECRET: 'secret',
    WEIR_DATABASE_URL: 'secret',
    WEIR_STEP_NAME: 'outer',
    DAG_RUN_STATUS: 'outer',
    DAGU_OUTPUT_FILE: '/outer',
    AWS_SECRET_ACCESS_KEY: 'secret',
    path: 'x',
    NODE_OPTIONS: 'x',
  };
  const listed = {
    PATH: '/bin',
    LC_ALL: 'C',
    XDG_RUNTIME_DIR: '/run/user/1',
    DOCKER_HOST: 'unix:///x',
    KUBERNETES_SERVICE_HOST: '10.0.0.1',
    DAGU_HOME: '/srv',
  };

  it('passes only variables that programs need', () => {
    expect(hostEnvironment(host)).toEqual(listed);
  });

  it('passes the location of the installation', () => {
    const installation = { WEIR_HOME: '/srv/weir', WEIR_DAGS_DIR: '/srv/dags', WEIR_CONTEXT: 'local' };

    expect(hostEnvironment({ ...installation, WEIR_DATABASE_URL: 'file:/srv/weir.db' })).toEqual(installation);
  });

  it('passes variables that the configuration adds, and no other setting of the server', () => {
    const names = ['NODE_OPTIONS', 'WEIR_JWT_SECRET', 'DAG_RUN_STATUS'];

    expect(hostEnvironment(host, { names, prefixes: ['AWS_', 'WEIR_', ''] })).toMatchObject({
      ...listed,
      NODE_OPTIONS: 'x',
      AWS_SECRET_ACCESS_KEY: 'secret',
    });
    expect(
      Object.keys(hostEnvironment(host, { names, prefixes: [''] })).filter((name) => /^WEIR_|STATUS/.test(name)),
    ).toEqual([]);
  });
});

describe('runEnvironment', () => {
  it('describes the run under both families of names', () => {
    const params = '{"1":"first","REGION":"eu \\"1\\"","PATH":"/tmp/evil"}';

    expect(environment()).toEqual({
      DAG_NAME: 'nightly',
      DAG_RUN_ID: 'run-1',
      DAG_RUN_LOG_FILE: '/logs/run.log',
      DAG_RUN_WORK_DIR: '/work',
      DAG_PARAMS_JSON: params,
      DAGU_PARAMS_JSON: params,
      WEIR_DAG_NAME: 'nightly',
      WEIR_RUN_ID: 'run-1',
      WEIR_RUN_LOG_FILE: '/logs/run.log',
      WEIR_RUN_WORK_DIR: '/work',
      WEIR_PARAMS_JSON: params,
    });
  });

  it('prefers files to the DAG, the DAG to parameters, and parameters to the host', () => {
    const found = environment({
      host: { A: 'host', B: 'host', C: 'host', D: 'host' },
      declaredParams: [{ name: '1', value: 'first' }, ...['B', 'C', 'D'].map((name) => ({ name, value: 'param' }))],
      dagEnv: { C: 'dag', D: 'dag', DAG_RUN_ID: 'other' },
      dotenv: { D: 'file', WEIR_RUN_ID: 'other' },
    });

    expect(found).toMatchObject({ A: 'host', B: 'param', C: 'dag', D: 'file', DAG_RUN_ID: 'run-1' });
    expect(found).toMatchObject({ WEIR_RUN_ID: 'run-1' });
    expect(found).not.toHaveProperty('1');
  });
});

describe('the variables about a run', () => {
  it('are those of the table in docs/specs', () => {
    const file = path.resolve(__dirname, '../../../../../docs/specs/language/run-context-and-environment.md');
    const table = readFileSync(file, 'utf8').split('### Variables about the run')[1]?.split('###')[0] ?? '';
    const documented = [...table.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name);

    expect(documented.sort()).toEqual([...runVariableNames, 'PWD'].sort());
  });

  it('are those that no entry of a DAG may set', () => {
    expect([...reservedEnvNames].sort()).toEqual([...runVariableNames].sort());
  });
});

describe('stepEnvironment', () => {
  it('prefers the entries of the step to those of the run, and the info to both', () => {
    const run = environment({ dagEnv: { A: 'dag', B: 'dag' } });
    const found = stepEnvironment(
      run,
      { B: 'step', DAG_RUN_STEP_NAME: 'mine' },
      { ...stepFacts, artifactsDir: '/art' },
    );

    expect(found).toMatchObject({
      A: 'dag',
      B: 'step',
      DAG_RUN_STEP_NAME: 'fetch all',
      DAG_RUN_STEP_STDOUT_FILE: '/logs/0.out',
      DAG_RUN_STEP_STDERR_FILE: '/logs/0.err',
      DAG_RUN_ARTIFACTS_DIR: '/art',
      WEIR_STEP_NAME: 'fetch all',
      WEIR_STEP_STDOUT_FILE: '/logs/0.out',
      WEIR_STEP_STDERR_FILE: '/logs/0.err',
    });
  });
});
