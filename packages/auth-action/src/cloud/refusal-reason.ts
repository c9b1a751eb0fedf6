import type { ServiceCall } from './service-call';
import type { ServiceError } from './service-error';

const longLifetime = /\blifetime\b.{0,40}\b(?:exceed|longer|greater)|LifetimeExtension/i;

/** The reason of the error for a response with an error status. Services state some causes only in their texts. */
export function refusalReason(service: ServiceCall['service'], status: number, refusal: ServiceError): string {
  if (status === 429) return 'requests_throttled';
  if (status === 408 || status >= 500) return 'service_unavailable';
  if (status >= 300 && status < 400) return 'request_redirected';
  if (refusal.googleReason === 'SERVICE_DISABLED') return 'service_disabled';
  if (service === 'iam' && status === 404) return 'account_not_found';
  if (service === 'iam' && status === 400) {
    return longLifetime.test(refusal.description ?? '') ? 'lifetime_not_allowed' : 'iam_request_invalid';
  }
  return `${service}_refused`;
}

/** Every reason that {@link refusalReason} can give. */
export const refusalReasons = [
  'requests_throttled',
  'service_unavailable',
  'request_redirected',
  'service_disabled',
  'account_not_found',
  'lifetime_not_allowed',
  'iam_request_invalid',
  'oidc_refused',
  'sts_refused',
  'iam_refused',
  'oauth_refused',
  'aws_refused',
  'aws_call_refused',
  'azure_refused',
  'azure_secret_refused',
] as const;
