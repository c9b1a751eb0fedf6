import { refusalReason } from './refusal-reason';

describe('refusalReason', () => {
  it.each([
    ['sts', 400, 'invalid_grant', 'The audience does not match.', 'sts_refused'],
    ['sts', 408, undefined, undefined, 'service_unavailable'],
    ['sts', 429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.', 'requests_throttled'],
    ['sts', 500, undefined, undefined, 'service_unavailable'],
    ['oidc', 501, undefined, undefined, 'service_unavailable'],
    ['sts', 302, undefined, undefined, 'request_redirected'],
    ['oidc', 307, undefined, undefined, 'request_redirected'],
    ['sts', 403, 'SERVICE_DISABLED', 'Enable it.', 'service_disabled'],
    ['iam', 403, 'SERVICE_DISABLED', 'Enable it.', 'service_disabled'],
    ['iam', 403, 'IAM_PERMISSION_DENIED', 'Permission denied.', 'iam_refused'],
    ['iam', 401, 'UNAUTHENTICATED', undefined, 'iam_refused'],
    ['iam', 404, 'NOT_FOUND', 'Not found; Gaia id not found.', 'account_not_found'],
    ['iam', 400, 'INVALID_ARGUMENT', 'The access token lifetime cannot exceed 3600 seconds.', 'lifetime_not_allowed'],
    ['iam', 400, 'INVALID_ARGUMENT', 'Invalid OAuth scope.', 'iam_request_invalid'],
    ['iam', 400, undefined, undefined, 'iam_request_invalid'],
    ['sts', 404, undefined, undefined, 'sts_refused'],
    ['oauth', 401, 'unauthorized_client', undefined, 'oauth_refused'],
    ['oauth', 304, undefined, undefined, 'request_redirected'],
  ] as const)('of %s with status %i, %p and %p is %s', (service, status, googleReason, description, reason) => {
    expect(refusalReason(service, status, { googleReason, description })).toBe(reason);
  });
});
