import { endpoint } from '@weir/http-contract';
import { BrowserSession, SignInRequest } from './overview-schemas';

const tag = 'reading';
const path = '/rl/browser_session';

export const signIn = endpoint({
  method: 'POST',
  path,
  operationId: 'signIn',
  tag,
  summary: 'Sign a browser in',
  description:
    'Sets a cookie with which the browser may read, and nothing else, whichever key was given. It ends after twelve hours, or with the process.',
  access: 'public',
  body: SignInRequest,
  success: { status: 200, description: 'The browser is signed in.', schema: BrowserSession },
  errors: {
    400: { description: 'The request is not valid.', reasons: ['request_invalid'] },
    401: { description: 'The key is neither the admin key nor the read-only key.', reasons: ['key_unknown'] },
  },
});

export const getBrowserSession = endpoint({
  method: 'GET',
  path,
  operationId: 'getBrowserSession',
  tag,
  summary: 'Get whether this browser is signed in',
  access: 'public',
  success: { status: 200, description: 'Whether it is.', schema: BrowserSession },
  errors: {},
});

export const signOut = endpoint({
  method: 'DELETE',
  path,
  operationId: 'signOut',
  tag,
  summary: 'Sign a browser out',
  access: 'public',
  success: { status: 204, description: 'The cookie is no longer valid.' },
  errors: {},
});
