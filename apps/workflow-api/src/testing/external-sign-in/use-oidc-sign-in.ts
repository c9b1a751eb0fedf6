import { Secret } from '@weir/service-kit';
import { startScriptedIssuer, type ScriptedIssuer } from '../scripted-issuer';
import { createTestApi, type TestApi } from '../test-api';
import { GroupMappingsText } from '../../access/access-of-groups';
import type { AdmissionRules } from '../../config/external-sign-in-settings';

export const usualRules: AdmissionRules = {
  allowedEmails: [],
  allowedDomains: [],
  createsUsers: true,
  defaultRole: 'viewer',
  syncsRoles: true,
  groupMappings: GroupMappingsText.parse('{"admins": "admin", "ops": "operator", "shop": ["developer@shop"]}'),
};

/** The state that one browser keeps between two requests. */
export interface Attempt {
  /** The address of the provider that the browser was sent to. */
  readonly sentTo: URL;
  readonly cookie: string;
}

export interface Landing {
  readonly status: number;
  readonly location: string;
  /** The reason of a failure; missing after a success. */
  readonly failure: string | null;
  /** The cookie of the session; empty where there is none. */
  readonly session: string;
}

export interface OidcSignInInUse {
  readonly api: TestApi;
  readonly issuer: ScriptedIssuer;
  readonly begin: (query?: string) => Promise<Attempt>;
  /** Returns from the provider with this query, by default the query of an honest provider. */
  readonly comeBack: (attempt: Attempt, query?: Readonly<Record<string, string>>) => Promise<Landing>;
  /** Performs a whole sign-in of a person with these claims. */
  readonly signIn: (claims?: Readonly<Record<string, unknown>>) => Promise<Landing>;
  /** Returns the user of a session. */
  readonly me: (session: string) => Promise<Readonly<Record<string, unknown>>>;
}

const clientUrl = 'http://127.0.0.1';

/** Provides one provider and one server for a file; `restart` gives a case a server with other rules. */
export function useOidcSignIn(): OidcSignInInUse & { restart: (rules?: Partial<AdmissionRules>) => Promise<void> } {
  let issuer: ScriptedIssuer;
  let api: TestApi | undefined;
  const present = (): TestApi => {
    if (api === undefined) throw new Error('The server is not started.');
    return api;
  };

  const restart = async (rules: Partial<AdmissionRules> = {}): Promise<void> => {
    await api?.stop();
    const oidc = {
      issuer: issuer.issuer,
      clientId: 'weir',
      clientSecret: new Secret('s'),
      scopes: ['openid'],
      clientUrl,
      groupsClaim: 'groups',
      buttonLabel: 'Sign in with us',
      rules: { ...usualRules, ...rules },
    };
    api = await createTestApi({ externalSignIn: { oidc, proxy: undefined } });
    await api.addUser({ id: 'root', username: 'root' });
  };
  beforeAll(async () => {
    issuer = await startScriptedIssuer();
    await restart();
  });
  beforeEach(() => {
    Object.assign(issuer, { claims: {}, mint: issuer.signRs256, isDown: false });
  });
  afterAll(async () => {
    await api?.stop();
    await issuer.stop();
  });

  const begin = async (query = ''): Promise<Attempt> => {
    const answer = await fetch(`${present().url}/oidc-login${query}`, { redirect: 'manual' });
    const location = answer.headers.get('location') ?? `${present().url}/?status=${answer.status}`;
    return { sentTo: new URL(location, present().url), cookie: readSetCookie(answer, 'weir_sign_in') };
  };
  const comeBack = async ({ sentTo, cookie }: Attempt, query?: Readonly<Record<string, string>>): Promise<Landing> => {
    const { state = '', nonce = '' } = Object.fromEntries(sentTo.searchParams);
    issuer.claims = { nonce, ...issuer.claims };
    const parameters = new URLSearchParams(query ?? { code: 'c', state, iss: issuer.issuer });
    const answer = await fetch(`${present().url}/oidc-callback?${parameters.toString()}`, {
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
    });
    const location = answer.headers.get('location') ?? '';
    const failure = new URL(location, present().url).searchParams.get('sign-in-failed');
    return { status: answer.status, location, failure, session: readSetCookie(answer, 'weir_session') };
  };
  return {
    get api() {
      return present();
    },
    get issuer() {
      return issuer;
    },
    restart,
    begin,
    comeBack,
    signIn: async (claims = {}) => {
      issuer.claims = claims;
      return comeBack(await begin());
    },
    me: async (session) => {
      const { body } = await present().send('GET /auth/me', { headers: { cookie: session } });
      return body.user as Readonly<Record<string, unknown>>;
    },
  };
}

function readSetCookie(answer: Response, name: string): string {
  const found = answer.headers
    .getSetCookie()
    .find((line) => line.startsWith(`${name}=`) && !line.startsWith(`${name}=;`));
  return found?.split(';')[0] ?? '';
}
