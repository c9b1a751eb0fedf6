import type { RemoteJwks } from './remote-jwks';
import { verifyOidcToken, type JsonWebKeySet } from './verify-token';

declare const jwks: JsonWebKeySet;
declare const fetchJwks: RemoteJwks;
const expected = { token: 't', issuer: 'i', audience: 'a' };

// @ts-expect-error a verifier without keys does not compile
void verifyOidcToken(expected);

// @ts-expect-error keys come from one place
void verifyOidcToken({ ...expected, jwks, fetchJwks });

// @ts-expect-error a symmetric algorithm cannot be listed
void verifyOidcToken({ ...expected, jwks, algorithms: ['HS256'] });
