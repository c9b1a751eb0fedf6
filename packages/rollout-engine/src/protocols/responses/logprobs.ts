import type { TokenLogprob } from '../../completions/completion';

/** Returns the form that a finished part uses. */
export function partLogprobs(tokens: readonly TokenLogprob[]): readonly unknown[] {
  return tokens.map((token) => ({ ...toWireToken(token), top_logprobs: token.top.map(toWireToken) }));
}

/** The form in the events of a stream: without bytes. */
export function deltaLogprobs(tokens: readonly TokenLogprob[]): readonly unknown[] {
  return tokens.map(({ text, logprob, top }) => ({
    token: text,
    logprob,
    top_logprobs: top.map((other) => ({ token: other.text, logprob: other.logprob })),
  }));
}

function toWireToken({ text, bytes, logprob }: Pick<TokenLogprob, 'text' | 'bytes' | 'logprob'>) {
  return { token: text, logprob, bytes: [...bytes] };
}
