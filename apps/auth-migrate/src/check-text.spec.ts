import { checkText } from './check-text';
import { check, migrate, workflow } from './testing/check-workflow';

const codes = (text: string) => check(text).map(({ line, kind, code }) => `${line} ${kind} ${code}`);

/** Returns the lines of the result that differ from those of the text, and the number of removed lines. */
function changedLines(text: string) {
  const [before, after] = [text, migrate(text)].map((each) => each.split('\n'));
  return {
    gone: (before?.length ?? 0) - (after?.length ?? 0),
    lines: after?.filter((line) => !before?.includes(line)),
  };
}

describe('a step of the current peer', () => {
  it.each([
    ['v3', '- uses: google-github-actions/auth@v3', '- uses: org/auth-action@v0'],
    ['v2.1', '- uses: google-github-actions/auth@v2.1.10', '- uses: org/auth-action@v0'],
    ['v1 in quotes', `- uses: 'google-github-actions/auth@v1'`, `- uses: 'org/auth-action@v0'`],
    ['v0 in double quotes', '- uses: "google-github-actions/auth@v0"', '- uses: "org/auth-action@v0"'],
    ['a branch', '- uses: google-github-actions/auth@main', '- uses: org/auth-action@v0'],
    ['another case', '- uses: Google-GitHub-Actions/Auth@v2', '- uses: org/auth-action@v0'],
    ['a comment', '- uses: google-github-actions/auth@v2 # signs in', '- uses: org/auth-action@v0 # signs in'],
    ['a map in one line', '- { uses: google-github-actions/auth@v2 }', '- { uses: org/auth-action@v0 }'],
  ])('changes nothing but its name: %s', (_, line, expected) => {
    const text = workflow(line);

    expect(migrate(text)).toBe(workflow(expected));
    expect(check(text).map(({ code }) => code)).toEqual(['name']);
  });

  it('is found at its line and column', () => {
    const [finding] = check(workflow('- id: auth', '  uses: google-github-actions/auth@v3'));

    expect(finding).toMatchObject({
      line: 6,
      column: 15,
      kind: 'change',
      message: 'google-github-actions/auth@v3 becomes org/auth-action@v0',
    });
  });

  it('that is pinned to a commit loses the comment with its version, and a note explains how to pin the new one', () => {
    const commit = 'ba79af03959ebeac9769e648f473a284504d9193';
    const text = workflow(`- uses: google-github-actions/auth@${commit} # v2.1.10`, '  id: auth');

    expect(migrate(text)).toBe(workflow('- uses: org/auth-action@v0', '  id: auth'));
    expect(codes(text)).toEqual(['5 change name', '5 note pinned_to_commit']);
  });

  it('is found once at its anchor', () => {
    const text =
      'x: &auth\n  uses: google-github-actions/auth@v3\njobs:\n  a: { steps: [*auth] }\n  b: { steps: [*auth] }\n';

    expect(codes(text)).toEqual(['2 change name']);
  });

  it.each([
    ['other actions', '- uses: google-github-actions/setup-gcloud@v3'],
    ['a folder of the peer', '- uses: google-github-actions/auth/other@v3'],
    ['its name in a script', '- run: echo google-github-actions/auth@v3'],
    ['a local action', '- uses: ./google-github-actions/auth'],
  ])('is not found in %s', (_, line) => {
    expect(check(workflow(line))).toEqual([]);
  });

  it('keeps carriage returns and a byte order mark', () => {
    const text = `\uFEFF${workflow('- uses: google-github-actions/auth@v2', '  with:', '    retries: 3').replaceAll('\n', '\r\n')}`;

    expect(migrate(text)).toBe(`\uFEFF${workflow('- uses: org/auth-action@v0').replaceAll('\n', '\r\n')}`);
  });
});

describe('inputs', () => {
  const step = (version: string, ...inputs: readonly string[]) =>
    workflow(`- uses: google-github-actions/auth@${version}`, '  with:', ...inputs.map((line) => `    ${line}`));

  it.each([
    ['retries with another input', ['project_id: p', 'retries: 5 # often'], 1, []],
    ['every retry input, and with them an empty `with`', ["retries: '3'", 'backoff: 100', 'backoff_limit: 9'], 4, []],
    ['an input in several lines', ['project_id: p', 'backoff: |', '  250', 'audience: a'], 2, []],
    ['activate_credentials_file of v0.3', ['project_id: p', 'activate_credentials_file: true'], 1, []],
  ])('that have no use here are removed: %s', (_, inputs, gone, lines) => {
    expect(changedLines(step('v1', ...inputs))).toEqual({
      gone,
      lines: ['      - uses: org/auth-action@v0', ...lines],
    });
  });

  it('that cannot be removed by lines are reported for manual removal', () => {
    const text = workflow('- uses: google-github-actions/auth@v1', '  with: { project_id: p, retries: 3 }');

    expect(codes(text)).toEqual(['5 change name', '6 manual input_unneeded']);
  });

  it('are renamed, and so are the outputs of the first version', () => {
    const text = workflow(
      '- id: auth',
      '  uses: google-github-actions/auth@v0.1.0',
      '  with:',
      '    lifetime: 60s',
      '    token_format: access_token',
      '    create_credentials_file: false',
      '- run: echo ${{ steps.auth.outputs.expiration }} ${{ steps.other.outputs.expiration }}',
    );

    expect(changedLines(text).lines).toEqual([
      '        uses: org/auth-action@v0',
      '          access_token_lifetime: 60s',
      '      - run: echo ${{ steps.auth.outputs.access_token_expiration }} ${{ steps.other.outputs.expiration }}',
    ]);
  });

  it.each([
    ['v0.1.1', ['set `create_credentials_file: false` and `token_format: access_token`']],
    ['v0.3.1', ['set `create_credentials_file: false`']],
    ['v0.4.0', []],
    ['v0', []],
  ])('with other defaults in %s are written by hand', (version, expected) => {
    const messages = check(step(version, 'project_id: p'))
      .filter(({ kind }) => kind === 'manual')
      .map(({ message }) => message.split(',')[0]);

    expect(messages).toEqual(expected);
  });

  it.each([
    ['v3', "create_credentials_file: ''", 'change boolean_empty', 'create_credentials_file: false'],
    ['v2', 'cleanup_credentials: ""', 'change boolean_empty', 'cleanup_credentials: false'],
    ['main', 'cleanup_credentials:', 'manual boolean_empty', undefined],
    ['v2', 'cleanup_credentials: ${{ inputs.clean }}', 'note boolean_may_be_empty', undefined],
    ['v3', 'credential_file: true', 'note input_unknown', undefined],
  ])('with %s that have another meaning are named: %s', (version, input, code, line) => {
    const text = step(version, input);

    expect(codes(text)).toEqual(['5 change name', `7 ${code}`]);
    expect(changedLines(text).lines).toEqual([
      '      - uses: org/auth-action@v0',
      ...(line === undefined ? [] : [`          ${line}`]),
    ]);
  });

  it('with an empty boolean in v1, which refuses it, are not changed', () => {
    expect(codes(step('v1', "cleanup_credentials: ''"))).toEqual(['5 change name']);
  });
});

describe('variables for endpoints', () => {
  it('are named with the input that replaces them', () => {
    const text = `env:\n  GHA_ENDPOINT_OVERRIDE_sts: https://sts.example\n${workflow('- uses: google-github-actions/auth@v2')}`;

    expect(check(text)[0]).toMatchObject({
      line: 2,
      kind: 'manual',
      message: expect.stringContaining('set the input `sts_endpoint`') as string,
    });
  });
});

describe('a file', () => {
  it.each([
    ['that is no YAML', 'jobs: [', 'Flow sequence'],
    ['with thousands of levels', '['.repeat(20_000), 'Maximum call stack'],
  ])('%s is not checked', (_, text, reason) => {
    expect(checkText(text, 'org/auth-action@v0')).toEqual({ unreadable: expect.stringContaining(reason) as string });
  });

  it('with aliases of aliases takes no longer than its text', () => {
    const levels = Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`);
    const text = ['a0: &a0 [x]', ...levels, workflow('- uses: google-github-actions/auth@v3')].join('\n');

    expect(codes(text)).toHaveLength(1);
  });
});
