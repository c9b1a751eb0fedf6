import type { ShownToken } from '../../turns/turn';

/** As they stand in a finished part. */
export function partLogprobs(tokens: readonly ShownToken[]): readonly unknown[] {
  return tokens.map((token) => ({ ...shown(token), top_logprobs: token.top.map(shown) }));
}

/** As the events of a stream hold them: without bytes. */
export function deltaLogprobs(tokens: readonly ShownToken[]): readonly unknown[] {
  return tokens.map(({ text, logprob, top }) => ({
    token: text,
    logprob,
    top_logprobs: top.map((other) => ({ token: other.text, logprob: other.logprob })),
  }));
}

function shown({ text, bytes, logprob }: Pick<ShownToken, 'text' | 'bytes' | 'logprob'>) {
  return { token: text, logprob, bytes: [...bytes] };
}
