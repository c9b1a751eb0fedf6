import type { MailAccount } from '@weir/workflow-spec/actions';

type OAuth = NonNullable<MailAccount['oauth']>;

/** The problem ends a sentence; it quotes the code of the endpoint at most. */
export type TokenAnswer = { readonly accessToken: string } | { readonly problem: string };

const timeoutMs = 30_000;
const maxAnswerLength = 65_536;
const microsoftScope = 'https://outlook.office.com/.default';

/** Exchanges a refresh token. Rejects only after an abort. A refresh token in the answer is not kept. */
export async function fetchAccessToken(oauth: OAuth, signal: AbortSignal, send = fetch): Promise<TokenAnswer> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await send(endpoint(oauth), {
      method: 'POST',
      body: new URLSearchParams(form(oauth)),
      redirect: 'error',
      signal: limit,
    });
    return readAnswer(response.status, await readBody(response));
  } catch {
    signal.throwIfAborted();
    return { problem: 'the token endpoint cannot be reached' };
  }
}

function endpoint({ provider, tenant_id: tenant = 'common' }: OAuth): string {
  if (provider === 'google_refresh') return 'https://oauth2.googleapis.com/token';
  return `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
}

function form({ provider, client_id, client_secret, refresh_token, scopes = [microsoftScope] }: OAuth) {
  return {
    grant_type: 'refresh_token',
    client_id,
    refresh_token,
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(provider === 'google_refresh' ? {} : { scope: [...new Set([...scopes, 'offline_access'])].join(' ') }),
  };
}

async function readBody(response: Response): Promise<unknown> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    if (text.length > maxAnswerLength) return undefined;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function readAnswer(status: number, body: unknown): TokenAnswer {
  const accessToken = readText(body, 'access_token');
  if (status === 200 && accessToken !== undefined) return { accessToken };
  const code = readText(body, 'error');
  const reason = code !== undefined && /^[a-z_]{1,64}$/.test(code) ? code : `status ${status}`;
  if (reason === 'invalid_grant') return { problem: 'sign-in is no longer valid (invalid_grant)' };
  return { problem: `the token endpoint refused the sign-in (${reason})` };
}

function readText(value: unknown, key: string): string | undefined {
  const found = typeof value === 'object' && value !== null ? (Reflect.get(value, key) as unknown) : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
}
