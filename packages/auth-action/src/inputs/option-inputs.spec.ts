import { variableNames } from './variable-names';
import { aRuntime, federation, readInputs, readRefusedInputs } from '../testing/read-inputs';
import { readSettings } from './read-settings';

const token = 'aaaa.bbbb.cccc';

describe('readSettings', () => {
  it('reads the source of the OIDC token', () => {
    const { runtime, masked } = aRuntime({ ...federation, oidc_token: token });

    expect(readSettings(runtime).step.oidcSource).toEqual({ kind: 'token', token });
    expect(masked).toEqual([token]);
    expect(readInputs({ ...federation, oidc_token_file: '/run/token' }).oidcSource).toEqual({
      kind: 'file',
      path: '/run/token',
    });
    expect(readInputs(federation).oidcSource).toEqual({ kind: 'runner' });
  });

  it('reads the choice of variables', () => {
    expect(readInputs({ ...federation, exported_variables: 'GCP_PROJECT, GCLOUD_PROJECT' }).exportedVariables).toEqual([
      'GCP_PROJECT',
      'GCLOUD_PROJECT',
    ]);
  });

  it.each([
    ['an OIDC token that is none', { oidc_token: 'secret' }, 'oidc_token_invalid', 'oidc_token_file'],
    ['two OIDC tokens', { oidc_token: token, oidc_token_file: '/a' }, 'oidc_token_ambiguous', 'Set only one'],
    ['a variable that is not set', { exported_variables: 'HOME' }, 'variable_unknown', String(variableNames[0])],
    ['a path of two lines', { credentials_file_directory: 'a\nb' }, 'path_invalid', 'one line'],
    ['a quoted path', { credentials_file_directory: '"a"' }, 'text_quoted', 'quotation mark'],
    ['a quota project that is none', { quota_project_id: 'My Project' }, 'text_with_spaces', 'quota_project_id'],
  ])('refuses %s', (_, inputs, reason, sentence) => {
    const refusal = readRefusedInputs({ ...federation, ...inputs });

    expect(refusal).toMatchObject({ reason });
    expect(refusal.message).toContain(sentence);
    expect(refusal.message).not.toContain('secret');
  });
});
