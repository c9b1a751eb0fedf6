import { check, manual, migrate, using as usingAction, workflow } from './testing/check-workflow';

const peer = 'aws-actions/configure-aws-credentials@v6';
const role = 'arn:aws:iam::123456789012:role/deployer';
const using = (...inputs: readonly string[]) => usingAction(peer, inputs);
const changed = (...inputs: readonly string[]) => usingAction('org/auth-action@v0', inputs);

const keys = ['aws-access-key-id: ${{ secrets.ID }}', 'aws-secret-access-key: ${{ secrets.KEY }}'];
const ownKeys = ['aws_access_key_id: ${{ secrets.ID }}', 'aws_secret_access_key: ${{ secrets.KEY }}'];

describe('a step of the action of AWS', () => {
  it('gives later steps the same variables and outputs as before', () => {
    const text = workflow(
      '- id: aws',
      `  uses: ${peer} # signs in`,
      '  with:',
      `    role-to-assume: ${role}`,
      '    aws-region: eu-west-1',
      '    allowed-account-ids: 123456789012',
      '- run: echo ${{ steps.aws.outputs.aws-account-id }} ${{ steps.aws.outputs["authenticated-arn"] }} ${{ steps.b.outputs.aws-account-id }}',
    );

    expect(migrate(text)).toBe(
      workflow(
        '- id: aws',
        '  uses: org/auth-action@v0 # signs in',
        '  with:',
        '    aws_session_variables: true',
        `    aws_role: ${role}`,
        '    aws_region: eu-west-1',
        '    aws_allowed_accounts: 123456789012',
        '- run: echo ${{ steps.aws.outputs.aws_account_id }} ${{ steps.aws.outputs["aws_arn"] }} ${{ steps.b.outputs.aws-account-id }}',
      ),
    );
    expect(manual(text)).toEqual([]);
  });

  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['skipped tags', ['role-skip-session-tagging: true'], ['aws_job_tags: false']],
    ['tags that are not skipped', ['role-skip-session-tagging: false'], []],
    ['tags in JSON', [`custom-tags: '{"Team":"web","Stage":2}'`], ['aws_session_tags: "Team=web, Stage=2"']],
    ['a timeout', ['action-timeout-s: 120'], ['timeout: 120']],
    ['no timeout', ['action-timeout-s: 0'], []],
    ['no variables', ['output-env-credentials: false'], ['export_environment_variables: false']],
    ['variables', ['output-env-credentials: true'], []],
    [
      'a profile',
      ['aws-profile: one', 'output-env-credentials: true'],
      ['aws_profile: one', 'aws_session_variables: true'],
    ],
    ['a profile only', ['aws-profile: one', 'output-env-credentials: false'], ['aws_profile: one']],
    ['plain keys', ['special-characters-workaround: true'], ['aws_plain_secret_key: true']],
    ['retries', ['retry-max-attempts: 3', 'disable-retry: false', 'force-skip-oidc: true'], []],
  ])('is changed with %s', (_, before, after) => {
    const text = using(`role-to-assume: ${role}`, ...keys, ...before);

    expect(migrate(text)).toBe(changed(`aws_role: ${role}`, ...ownKeys, ...after));
    expect(manual(text)).toEqual([]);
  });

  it('loses what has no effect with the OIDC token', () => {
    const text = using(
      `role-to-assume: ${role}`,
      'role-external-id: x',
      "custom-tags: '{}'",
      'transitive-tag-keys: Team',
    );

    expect(migrate(text)).toBe(changed('aws_session_variables: true', `aws_role: ${role}`));
  });

  it('is changed with the name of a role, which belongs to the account of the keys', () => {
    const text = using('role-to-assume: deployer', ...keys);

    expect(migrate(text)).toBe(changed('aws_role: deployer', ...ownKeys));
    expect(manual(text)).toEqual([]);
  });

  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['without variables', [], ['  env:', '    HTTPS_PROXY: ${{ vars.PROXY }}', "    NO_PROXY: '.example.com'"]],
    [
      'with others',
      ['  env:', '    X: 1'],
      ['  env:', '    HTTPS_PROXY: ${{ vars.PROXY }}', "    NO_PROXY: '.example.com'", '    X: 1'],
    ],
  ])('reads its proxy from variables in a step %s', (_, before, after) => {
    const proxy = ['    http-proxy: ${{ vars.PROXY }}', "    no-proxy: '.example.com'"];
    const inputs = (lines: readonly string[]) => ['  with:', ...lines.map((line) => `    ${line}`)];
    const text = workflow(`- uses: ${peer}`, ...before, ...inputs(keys), ...proxy);

    expect(migrate(text)).toBe(workflow('- uses: org/auth-action@v0', ...after, ...inputs(ownKeys)));
    expect(manual(text)).toEqual([]);
  });

  it('leaves its proxy to a person if the variable has a value, or there is no line for it', () => {
    const taken = workflow(`- uses: ${peer}`, '  env: { HTTPS_PROXY: x }', '  with:', '    http-proxy: y');
    const flow = workflow(`- { uses: ${peer}, with: { http-proxy: y } }`);

    for (const text of [taken, flow]) expect(manual(text).join()).toContain('remove `http-proxy`: `HTTPS_PROXY`');
  });

  it('keeps the line ends of its file', () => {
    const text = using(`role-to-assume: ${role}`).replaceAll('\n', '\r\n');

    expect(migrate(text)).toBe(changed('aws_session_variables: true', `aws_role: ${role}`).replaceAll('\n', '\r\n'));
  });

  it.each<readonly [string, readonly string[], string]>([
    ['the name of a role', ['role-to-assume: deployer'], 'arn:aws:iam::<account>:role/deployer'],
    ['a long timeout', [...keys, 'action-timeout-s: 3600'], 'at most 10m'],
    ['tags in an expression', [...keys, 'custom-tags: ${{ vars.TAGS }}'], '`key=value`'],
    ['tags that are no JSON', [...keys, 'custom-tags: x'], '`key=value`'],
    [
      'a switch in an expression',
      [...keys, 'role-skip-session-tagging: ${{ vars.SKIP }}'],
      '`aws_job_tags: false` is for true',
    ],
    [
      'variables in an expression',
      [...keys, 'output-env-credentials: ${{ vars.X }}'],
      '`export_environment_variables: false` is for false',
    ],
    ['no role and no keys', ['aws-region: eu-west-1'], '`aws_use_existing_credentials: true`'],
  ])('leaves to a person %s', (_, inputs, message) => {
    expect(manual(using(...inputs)).join()).toContain(message);
  });

  it('leaves an input to a person that cannot get a line of its own', () => {
    const text = workflow(`- { uses: ${peer}, with: { role-to-assume: '${role}' } }`);

    expect(manual(text)).toEqual([expect.stringContaining('add `aws_session_variables: true`')]);
  });

  it('is told of inputs that it does not have either', () => {
    expect(check(using(...keys, 'region: x')).map(({ code }) => code)).toContain('input_unknown');
  });

  it('reads no variables of the action of Google', () => {
    const text = `env: { GHA_ENDPOINT_OVERRIDE_sts: x }\n${using(...keys)}`;

    expect(check(text).map(({ code }) => code)).not.toContain('endpoint_variable');
  });
});
