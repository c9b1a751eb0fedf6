import { Secret } from '@weir/service-kit';
import { startScriptedIssuer, type ScriptedIssuer } from '../scripted-issuer';
import { createTestApi, type TestApi } from '../test-api';
import { GroupMappingsText } from '../../access/access-of-groups';
import type { AdmissionRules, OidcSettings } from '../../config/external-sign-in-settings';
import type { OutputEvaluator } from '../../output-thread';

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

/** What a case changes of the server. */
export interface ChangedServer {
  readonly rules?: Partial<AdmissionRules>;
  readonly settings?: Partial<OidcSettings>;
  readonly evaluator?: OutputEvaluator;
}

export interface Landing {
  readonly status: number;
  readonly location: string;
  /** The reason of a failure; missing after a success. */
  readonly failure: string | null;
  /** The cookie of the session; empty where there is none. */
  readonly session: string;
  /** The cookie for a sign-out at the provider; empty where there is none. */
  readonly signOut: string;
}

export interface OidcSignInInUse {
  readonly api: TestApi;
  readonly issuer: ScriptedIssuer;
  /** The issuer of the provider `other`. */
  readonly other: ScriptedIssuer;
  readonly begin: (query?: string, path?: string) => Promise<Attempt>;
  /** Returns from the provider with this query, by default the query of an honest provider. */
  readonly comeBack: (attempt: Attempt, query?: Readonly<Record<string, string>>, path?: string) => Promise<Landing>;
  /** Performs a whole sign-in of a person with these claims. */
  readonly signIn: (claims?: Readonly<Record<string, unknown>>) => Promise<Landing>;
  /** Returns the user of a session. */
  readonly me: (session: string) => Promise<Readonly<Record<string, unknown>>>;
}

const clientUrl = 'http://127.0.0.1';

/** Provides two providers and one server for a file; `restart` gives a case a server that differs. */
export function useOidcSignIn(): OidcSignInInUse & { restart: (changed?: ChangedServer) => Promise<void> } {
  let issuer: ScriptedIssuer;
  let other: ScriptedIssuer;
  let api: TestApi | undefined;
  const present = (): TestApi => {
    if (api === undefined) throw new Error('The server is not started.');
    return api;
  };

  const restart = async ({ rules, settings, evaluator }: ChangedServer = {}): Promise<void> => {
    await api?.stop();
    const oidc: OidcSettings = {
      id: 'oidc',
      issuer: issuer.issuer,
      clientId: 'weir',
      clientSecret: new Secret('s'),
      scopes: ['openid'],
      clientUrl,
      groupsClaim: 'groups',
      roleExpression: undefined,
      signsOutThere: true,
      buttonLabel: 'Sign in with us',
      rules: { ...usualRules, ...rules },
      ...settings,
    };
    const second: OidcSettings = { ...oidc, id: 'other', issuer: other.issuer, buttonLabel: 'Sign in elsewhere' };
    api = await createTestApi({
      externalSignIn: { oidc: [oidc, second], proxy: undefined },
      ...(evaluator === undefined ? {} : { evaluator }),
    });
    await api.addUser({ id: 'root', username: 'root' });
  };
  beforeAll(async () => {
    issuer = await startScriptedIssuer();
    other = await startScriptedIssuer();
    await restart();
  });
  beforeEach(() => {
    for (const each of [issuer, other]) {
      Object.assign(each, { claims: {}, metadata: {}, mint: each.signRs256, isDown: false });
    }
  });
  afterAll(async () => {
    await api?.stop();
    await Promise.all([issuer.stop(), other.stop()]);
  });

  const begin = async (query = '', path = '/oidc-login'): Promise<Attempt> => {
    const answer = await fetch(`${present().url}${path}${query}`, { redirect: 'manual' });
    const location = answer.headers.get('location') ?? `${present().url}/?status=${answer.status}`;
    return { sentTo: new URL(location, present().url), cookie: readSetCookie(answer, /^weir_sign_in/) };
  };
  const comeBack = async (
    { sentTo, cookie }: Attempt,
    query?: Readonly<Record<string, string>>,
    path = '/oidc-callback',
  ): Promise<Landing> => {
    const { state = '', nonce = '' } = Object.fromEntries(sentTo.searchParams);
    const asked = sentTo.origin === other.issuer ? other : issuer;
    asked.claims = { nonce, ...asked.claims };
    const parameters = new URLSearchParams(query ?? { code: 'c', state, iss: asked.issuer });
    const answer = await fetch(`${present().url}${path}?${parameters.toString()}`, {
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
    });
    const location = answer.headers.get('location') ?? '';
    const failure = new URL(location, present().url).searchParams.get('sign-in-failed');
    const [session, signOut] = [readSetCookie(answer, /^weir_session/), readSetCookie(answer, /^weir_sign_out/)];
    return { status: answer.status, location, failure, session, signOut };
  };
  return {
    get api() {
      return present();
    },
    get issuer() {
      return issuer;
    },
    get other() {
      return other;
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

function readSetCookie(answer: Response, name: RegExp): string {
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  return cookies.find((cookie) => name.test(cookie) && !cookie.endsWith('=')) ?? '';
}
