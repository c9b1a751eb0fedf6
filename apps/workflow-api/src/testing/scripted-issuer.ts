import { createHmac, generateKeyPairSync, sign as signBytes, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Claims = Readonly<Record<string, unknown>>;

/** An OpenID provider whose answers a spec writes, as a forger or a broken provider would. */
export interface ScriptedIssuer {
  readonly issuer: string;
  /** The claims of the next token besides the usual ones; replaced as a whole. */
  claims: Claims;
  /** Creates the ID token of claims. */
  mint: (claims: Claims) => string;
  /** Signs as usual: with RS256 and the published key. */
  readonly signRs256: (claims: Claims) => string;
  /** Added to its description. */
  metadata: Claims;
  /** While true, it answers 503 to everything. */
  isDown: boolean;
  /** Returns the parameters of the last request for tokens. */
  readonly lastTokenRequest: () => URLSearchParams;
  /** Counts the requests for tokens. */
  readonly tokenRequests: () => number;
  readonly publicKey: KeyObject;
  readonly stop: () => Promise<void>;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function signWith(key: KeyObject, claims: Claims, header: object = { alg: 'RS256', kid: 'k' }): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${signBytes('sha256', Buffer.from(text), key).toString('base64url')}`;
}

export function unsigned(claims: Claims): string {
  return `${encode({ alg: 'none' })}.${encode(claims)}.`;
}

/** Signs with the public key, as if it were a shared secret. */
export function signedWithPublicKey(key: KeyObject, claims: Claims): string {
  const text = `${encode({ alg: 'HS256', kid: 'k' })}.${encode(claims)}`;
  const secret = key.export({ type: 'spki', format: 'pem' });
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

export async function startScriptedIssuer(): Promise<ScriptedIssuer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let tokenRequest = new URLSearchParams();
  let tokenRequests = 0;
  const server = createServer((req, res) => {
    void answer(req).then(({ status, body }) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const answer = async (req: IncomingMessage): Promise<{ readonly status: number; readonly body: unknown }> => {
    if (scripted.isDown) return { status: 503, body: {} };
    if (req.url === '/jwks') {
      return {
        status: 200,
        body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' }] },
      };
    }
    if (req.url === '/token') {
      tokenRequest = new URLSearchParams(await readText(req));
      tokenRequests += 1;
      const seconds = Math.floor(Date.now() / 1000);
      const usual = { iss: issuer, sub: 'sub-1', aud: 'weir', iat: seconds, exp: seconds + 60 };
      const id_token = scripted.mint({ ...usual, ...scripted.claims });
      return { status: 200, body: { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token } };
    }
    return { status: 200, body: { ...metadata(issuer), ...scripted.metadata } };
  };
  const signRs256 = (claims: Claims): string => signWith(privateKey, claims);
  const scripted: ScriptedIssuer = {
    issuer,
    claims: {},
    mint: signRs256,
    signRs256,
    metadata: {},
    isDown: false,
    publicKey,
    lastTokenRequest: () => tokenRequest,
    tokenRequests: () => tokenRequests,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return scripted;
}

function metadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    // A provider that offers weak algorithms must not make any client use them.
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    authorization_response_iss_parameter_supported: true,
  };
}

async function readText(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text;
}
