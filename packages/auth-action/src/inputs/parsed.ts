/** Why an input was refused, as the `reason` of the error. */
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
  'request_reason_invalid',
  'option_unused',
] as const;

export type InputReason = (typeof inputReasons)[number];

/** The message is a sentence that goes after the input's name, and says what is wrong and what it should be. */
export interface Wrong {
  readonly ok: false;
  readonly reason: InputReason;
  readonly message: string;
}

export type Parsed<T> = { readonly ok: true; readonly value: T } | Wrong;

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function wrong(reason: InputReason, message: string): Wrong {
  return { ok: false, reason, message };
}
