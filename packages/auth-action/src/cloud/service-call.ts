/** The name as in the reasons of errors: `sts_refused`. */
export type ServiceName = 'oidc' | 'sts' | 'iam' | 'oauth' | 'aws' | 'aws_call' | 'azure' | 'azure_secret';

/** A request to a token service. */
export interface ServiceCall {
  readonly service: ServiceName;
  /** The name in errors and debug logs: `token exchange`. */
  readonly kind: string;
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Masked in errors, even if the service repeats them. */
  readonly secrets: readonly string[];
  /** Whether a retry may succeed, beside the statuses of which that is true for every service. */
  readonly isTransient?: (response: ServiceResponse) => boolean;
}

/** A complete response with any status. */
export interface ServiceResponse {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
  readonly location: string | undefined;
}

export type CallFailureReason = 'network_unreachable' | 'tls_failed' | 'proxy_failed' | 'answer_malformed';

/** Why there was no response. */
export interface CallFailure {
  readonly reason: CallFailureReason;
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;
  readonly isTimeout: boolean;
  /** A system error code or a fixed phrase; never text of the peer. */
  readonly description: string;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
  readonly cause: unknown;
}
