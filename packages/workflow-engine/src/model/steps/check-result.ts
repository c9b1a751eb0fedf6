/** `failed`: the check itself failed, and the step with it. The messages are short and shown to users. */
export type CheckResult =
  | { readonly kind: 'met' }
  | { readonly kind: 'not_met'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: string };
