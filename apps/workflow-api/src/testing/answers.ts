export const unauthorized = { status: 401, body: { code: 'unauthorized', reason: 'credential_invalid' } };
export const roleMissing = { status: 403, body: { code: 'forbidden', reason: 'role_missing' } };
export const badRequest = (reason: string) => ({ status: 400, body: { code: 'bad_request', reason } });
