import { parseDag } from '../../dag/document/parse-dag';

const read = (keys: string) => parseDag(`${keys}\nsteps: [x]\n`);

describe('the settings of a DAG', () => {
  it.each([
    ['consts: {a: 1}', 'invalid_type', '/consts', 'consts must use list form'],
    ['consts: [a]', 'invalid_value', '/consts/0', 'a map with one key'],
    ['consts: [{a: 1, b: 2}]', 'invalid_value', '/consts/0', 'a map with one key'],
    ['consts: [{1a: 1}]', 'invalid_value', '/consts/0/1a', 'invalid constant name'],
    ['consts: [{a: [1]}]', 'invalid_value', '/consts/0/a', 'must be a string, a number or a boolean'],
    ['consts: [{a: }]', 'invalid_value', '/consts/0/a', 'must be a string, a number or a boolean'],
    ['consts: [{a: .inf}]', 'invalid_value', '/consts/0/a', 'must be a string, a number or a boolean'],
    ['consts: [{a: 1}, {a: 2}]', 'duplicate_name', '/consts/1/a', 'duplicate constant "a"'],
    ['dotenv: ""', 'invalid_value', '/dotenv', 'must not be empty'],
    ['dotenv: {a: b}', 'invalid_type', '/dotenv', 'dotenv'],
    ['env: {1A: x}', 'invalid_env_name', '/env/1A', 'invalid environment variable name'],
    ['secrets: {A: b}', 'invalid_type', '/secrets', 'a list of secrets'],
    ['secrets: [{provider: env, key: x}]', 'missing_key', '/secrets/0', 'name is required'],
    ['secrets: [{name: A}]', 'missing_key', '/secrets/0', 'must have ref, or provider and key'],
    ['secrets: [{name: A, provider: env}]', 'missing_key', '/secrets/0', 'key is required'],
    [
      'secrets: [{name: A-B, provider: env, key: x}]',
      'invalid_env_name',
      '/secrets/0/name',
      'invalid environment variable name',
    ],
    ['secrets: [{name: A, ref: X y}]', 'invalid_value', '/secrets/0/ref', 'must be lower-case words'],
    [
      'secrets: [{name: A, provider: onepassword, key: y}]',
      'invalid_value',
      '/secrets/0/provider',
      'must be one of: env',
    ],
    [
      'secrets: [{name: A, provider: env, key: x}, {name: A, provider: env, key: y}]',
      'duplicate_name',
      '/secrets/1/name',
      'duplicate secret "A"',
    ],
    ['overlap_policy: queue', 'invalid_value', '/overlap_policy', 'must be one of: skip, all, latest'],
    ['skip_if_successful: sometimes', 'invalid_type', '/skip_if_successful', 'true or false'],
    ['queue: "a\\nb"', 'invalid_value', '/queue', 'line breaks'],
    [`queue: ${'q'.repeat(256)}`, 'invalid_value', '/queue', '255 characters or less'],
    ['mail_on: {failed: true}', 'unknown_key', '/mail_on/failed', 'has invalid keys'],
    ['mail_on: [failure]', 'invalid_type', '/mail_on', 'a map'],
    ['smtp: {host: h, port: 0}', 'invalid_value', '/smtp/port', 'from 1 to 65535'],
    ['smtp: {host: h, tls_cert_sha256: "aa:bb"}', 'invalid_value', '/smtp/tls_cert_sha256', '64 hexadecimal digits'],
    ['smtp: {host: h, port: ssl}', 'invalid_value', '/smtp/port', 'from 1 to 65535'],
    ['error_mail: {from: a@b.c}', 'missing_key', '/error_mail', 'to is required'],
    ['error_mail: {from: a@b.c, to: []}', 'invalid_value', '/error_mail/to', 'at least one recipient'],
    ['error_mail: {from: nobody, to: a@b.c}', 'invalid_value', '/error_mail/from', 'must be a mail address'],
    ['info_mail: {from: "a@b.c\\nBcc: d@e.f", to: a@b.c}', 'invalid_value', '/info_mail/from', 'line breaks'],
    ['wait_mail: {from: a@b.c, to: a@b.c, prefix: "x\\r\\ny"}', 'invalid_value', '/wait_mail/prefix', 'line breaks'],
    ['log_output: both', 'invalid_value', '/log_output', 'must be one of: separate, merged'],
    ['max_output_size: 0', 'invalid_value', '/max_output_size', 'from 1 to 16777216'],
    ['max_output_size: 1MB', 'invalid_type', '/max_output_size', 'an integer'],
    ['artifacts: true', 'invalid_type', '/artifacts', 'a map'],
    ['hist_retention_days: -1', 'invalid_value', '/hist_retention_days', '0 or more'],
    ['hist_retention_runs: 0', 'invalid_value', '/hist_retention_runs', '1 or more'],
    [
      'hist_retention_days: 7\nhist_retention_runs: 9',
      'conflicting_keys',
      '/hist_retention_runs',
      'cannot both be specified',
    ],
    ['run_config: {disable_param_edit: 1}', 'invalid_type', '/run_config/disable_param_edit', 'true or false'],
    [
      'webhook: {forward_headers: [AUTHORIZATION]}',
      'invalid_value',
      '/webhook/forward_headers/0',
      'may not be forwarded',
    ],
    ['webhook: {forward_headers: [X-A, x-a]}', 'duplicate_name', '/webhook/forward_headers/1', 'duplicate header'],
    ['webhook: {forward_headers: ["X A"]}', 'invalid_value', '/webhook/forward_headers/0', 'the name of a header'],
    ['otel: {timeout: soon}', 'invalid_value', '/otel/timeout', 'must be seconds, or a time'],
    ['otel: {headers: {a: [b]}}', 'invalid_type', '/otel/headers/a', 'a string'],
    ['max_active_runs: -2', 'invalid_value', '/max_active_runs', '-1 or more'],
  ])('%s is refused', (keys, code, path, phrase) => {
    const errors = read(keys).findings.filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([expect.objectContaining({ code, path })]);
    expect(errors[0]?.message).toContain(phrase);
  });

  it.each([
    ['dotenv: prod.env', ['.env', 'prod.env']],
    ['dotenv: [a.env, .env, a.env]', ['.env', 'a.env']],
    ['dotenv: []', []],
  ])('%s is read with .env first', (keys, dotenv) => {
    expect(read(keys).dag.dotenv).toEqual(dotenv);
  });

  it('keeps a number beyond the range of JSON as written', () => {
    expect(read('consts: [{id: 12345678901234567890}]').dag.consts).toEqual([
      { name: 'id', value: '12345678901234567890' },
    ]);
  });

  it('reports that max_active_runs has no effect', () => {
    const { dag, findings } = read('maxActiveRuns: 2');
    expect(dag.maxActiveRuns).toBe(2);
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([['deprecated_key', 'warning']]);
  });
});
