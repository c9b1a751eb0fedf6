/** Whose answer it is, as the reasons of errors name it: `sts_refused`. */
export type ServiceName = 'oidc' | 'sts' | 'iam' | 'oauth';

/** One thing asked of one service. */
export interface Call {
  readonly service: ServiceName;
  /** What is asked for, in words for errors and debug logs: `token exchange`. */
  readonly kind: string;
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Texts that must not be in an error, even when the service repeats them. */
  readonly secrets: readonly string[];
}

/** A whole answer with its body, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
  readonly location: string | undefined;
}

export type FailureReason = 'network_unreachable' | 'tls_failed' | 'proxy_failed' | 'answer_malformed';

/** No answer, and why not. */
export interface Failure {
  readonly reason: FailureReason;
  /** Whether the same call may succeed a moment later. */
  readonly isPassing: boolean;
  readonly isTimeout: boolean;
  /** A system error code or a few words of ours; never a text of the other side. */
  readonly description: string;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
  readonly cause: unknown;
}
