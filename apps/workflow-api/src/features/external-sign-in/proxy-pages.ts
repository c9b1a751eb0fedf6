import { Router, type Request, type RequestHandler } from 'express';
import proxyAddr from 'proxy-addr';
import type { ProxySignInSettings } from '../../config/external-sign-in-settings';
import type { AdmitPerson } from './admit-person';
import type { ExternalIdentity } from './external-identity';
import { proxyNotTrusted } from './external-sign-in-errors';
import { readReturnAddress } from './return-address';
import { createSignInPage, type SignInPagePorts } from './sign-in-pages';

export interface ProxyPagePorts extends SignInPagePorts {
  readonly proxy: ProxySignInSettings;
  readonly admit: AdmitPerson;
}

export const proxyPath = '/proxy-login';

const maxNameLength = 256;
const maxGroups = 2000;

/** Creates the page that trusts a proxy's headers about the caller. No other code reads these headers. */
export function createProxyPages(ports: ProxyPagePorts): RequestHandler {
  const { proxy, admit } = ports;
  const isProxy = proxyAddr.compile([...proxy.addresses]);
  const router = Router({ caseSensitive: true });
  router.get(
    proxyPath,
    createSignInPage(ports, async (req, _res, person) => {
      person.onPage(readReturnAddress(req.query.return));
      // Only the address of the connection counts: a visitor can forge a header with an address as easily as one with a name.
      if (!isProxy(req.socket.remoteAddress ?? '', 0)) throw proxyNotTrusted();
      return admit(readIdentity(req, proxy), proxy.rules, person);
    }),
  );
  return router;
}

/** Throws `proxy_not_trusted` unless there is exactly one name: of two names, one may be the visitor's. */
function readIdentity(req: Request, { userHeader, groupsHeader }: ProxySignInSettings): ExternalIdentity {
  const [name, ...others] = valuesOf(req, userHeader);
  const [groups = '', ...otherGroups] = valuesOf(req, groupsHeader);
  const isOne = others.length === 0 && otherGroups.length === 0;
  if (name === undefined || name === '' || name.length > maxNameLength || !isOne) throw proxyNotTrusted();
  return {
    provider: 'proxy',
    externalId: `proxy ${name}`,
    names: [name],
    email: undefined,
    grants: [],
    groups: groups
      .split(',')
      .map((group) => group.trim())
      .filter((group) => group !== '')
      .slice(0, maxGroups),
  };
}

function valuesOf({ rawHeaders }: Request, header: string): readonly string[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() === header ? [(rawHeaders[index + 1] ?? '').trim()] : [],
  );
}
