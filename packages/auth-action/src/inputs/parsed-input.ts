/** The `reason` of the error for an invalid input. */
export const inputReasons = [
  'inputs_invalid',
  'mode_missing',
  'mode_ambiguous',
  'text_quoted',
  'text_not_expanded',
  'text_with_spaces',
  'provider_invalid',
  'account_invalid',
  'account_missing',
  'email_invalid',
  'project_invalid',
  'key_too_large',
  'key_unreadable',
  'key_type_wrong',
  'key_incomplete',
  'key_unusable',
  'universe_invalid',
  'universe_mismatch',
  'endpoint_invalid',
  'token_format_unknown',
  'audience_invalid',
  'audience_missing',
  'duration_invalid',
  'duration_out_of_range',
  'lifetime_too_long_for_subject',
  'subject_unsupported',
  'list_empty',
  'list_too_long',
  'scope_invalid',
  'boolean_invalid',
  'file_mode_invalid',
  'path_invalid',
  'variable_unknown',
  'oidc_token_invalid',
  'oidc_token_ambiguous',
  'identity_invalid',
  'registry_invalid',
  'aws_role_invalid',
  'aws_role_missing',
  'aws_region_invalid',
  'aws_session_name_invalid',
  'aws_keys_invalid',
  'aws_keys_missing',
  'aws_keys_ambiguous',
  'aws_policy_invalid',
  'aws_external_id_invalid',
  'aws_tag_invalid',
  'aws_account_invalid',
  'aws_account_not_allowed',
  'aws_profile_invalid',
  'aws_input_unused',
  'azure_id_invalid',
  'azure_id_missing',
  'azure_environment_invalid',
  'azure_endpoint_missing',
  'azure_credentials_invalid',
  'azure_credentials_ambiguous',
  'azure_tool_missing',
  'azure_input_unused',
  'request_reason_invalid',
] as const;

export type InputReason = (typeof inputReasons)[number];

/** The message continues a sentence that starts with the name of the input, and names the problem and the fix. */
export interface InvalidInput {
  readonly ok: false;
  readonly reason: InputReason;
  readonly message: string;
}

export interface ValidInput<T> {
  readonly ok: true;
  readonly value: T;
  /** A doubt about the value. Continues a sentence like the message of an invalid input. */
  readonly warning?: string;
}

export type ParsedInput<T> = ValidInput<T> | InvalidInput;

export function validInput<T>(value: T): ValidInput<T> {
  return { ok: true, value };
}

/** For values with which the best-known action signs in. */
export function doubtfulInput<T>(value: T, warning: string): ValidInput<T> {
  return { ok: true, value, warning };
}

export function invalidInput(reason: InputReason, message: string): InvalidInput {
  return { ok: false, reason, message };
}
