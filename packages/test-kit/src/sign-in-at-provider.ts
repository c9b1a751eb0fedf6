export interface SignInAtProvider {
  /** The address of the provider, with the parameters of the request. */
  readonly address: string;
  /** The address to which the provider finally sends the browser; no server needs to answer there. */
  readonly redirectUri: string;
  readonly person: string;
}

const maxHops = 15;

/**
 * Acts as a browser and a person at the provider of `startIdentityProvider`. Resolves with the address to which they
 * return.
 */
export async function signInAtProvider({ address, redirectUri, person }: SignInAtProvider): Promise<string> {
  const cookies = new Map<string, string>();
  let form: URLSearchParams | undefined;
  let current = address;
  for (let hop = 0; hop < maxHops; hop += 1) {
    const answer = await fetch(current, {
      ...(form === undefined ? {} : { method: 'POST', body: form }),
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      signal: AbortSignal.timeout(20_000),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const next = answer.headers.get('location');
    const page = next === null ? await answer.text() : '';
    current = new URL(next ?? /action="([^"]+)"/.exec(page)?.[1] ?? '', current).href;
    if (current.startsWith(`${redirectUri}?`)) return current;
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? 'login';
    form = next === null ? new URLSearchParams({ prompt, login: person, password: 'any' }) : undefined;
  }
  throw new Error(`The provider did not send the browser back; it is at ${current}.`);
}
