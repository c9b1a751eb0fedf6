// A certified OpenID provider in a separate process: it is an ES module, and Jest runs CommonJS.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const { port, clientId, clientSecret, redirectUri, signedOutUri, people } = JSON.parse(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: signedOutUri === undefined ? [] : [signedOutUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  claims: {
    openid: ['sub', 'groups', 'department'],
    email: ['email', 'email_verified'],
    profile: ['preferred_username', 'name'],
  },
  pkce: { required: () => true },
  cookies: { keys: ['a key of every spec'] },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  // Consent is given without a question.
  loadExistingGrant: async (context) => {
    const { client, session, params } = context.oidc;
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope(params.scope);
    await grant.save();
    return grant;
  },
});
createServer(provider.callback()).listen(port, '127.0.0.1', () => console.log('ready'));
