import { testPassword } from '../../testing/test-api';
import { reached, redirectAddress, useChatClient } from '../../testing/use-chat-client';

const setting = useChatClient();
const { post, aClient, consent, exchange, refresh, toTokens, connect, useTools } = setting;

describe('POST /oauth/token', () => {
  it('exchanges the code for tokens that reach the tools, and nothing else', async () => {
    const clientId = await aClient();
    const issued = await exchange(clientId, await consent(clientId, 'read'));
    expect(issued).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 900, scope: 'read' } });
    expect(issued.headers.get('cache-control')).toBe('no-store');

    const { access, refresh: other } = toTokens(clientId, issued);
    await expect(useTools(access)).resolves.toBe(reached);
    await expect(useTools(other)).resolves.toBe(401);
    await expect(setting.api.send('GET /dags', { as: access })).resolves.toMatchObject({ status: 404 });
    await expect(setting.api.send('GET /auth/me', { as: access })).resolves.toMatchObject({
      status: 403,
      body: { reason: 'surface_missing' },
    });
  });

  it('refuses a code after a minute', async () => {
    const clientId = await aClient();
    const code = await consent(clientId);
    setting.api.clock.advance(60_000);
    await expect(exchange(clientId, code)).resolves.toMatchObject({ body: { error: 'invalid_grant' } });
  });

  it('replaces both tokens with each refresh', async () => {
    const first = await connect();
    const second = toTokens(first.clientId, await refresh(first.clientId, first.refresh));

    await expect(useTools(first.access)).resolves.toBe(401);
    await expect(useTools(second.access)).resolves.toBe(reached);
  });

  it('lets an access token end after 15 minutes, and a refresh token after 30 days without use', async () => {
    const { clientId, access, refresh: token } = await connect();
    setting.api.clock.advance(900_000);
    await expect(useTools(access)).resolves.toBe(401);
    const next = toTokens(clientId, await refresh(clientId, token));
    setting.api.clock.advance(30 * 86_400_000);
    await expect(refresh(clientId, next.refresh)).resolves.toMatchObject({ body: { error: 'invalid_grant' } });
  });
});

describe('a connection', () => {
  it.each(['disabled', 'deleted'])('ends when its user is %s', async (end) => {
    const { clientId, access, refresh: token } = await connect();
    const user = await setting.api.users.findById('ada');
    if (user === undefined || end === 'deleted') await setting.api.users.remove('ada');
    else await setting.api.users.update({ ...user, isDisabled: true });

    await expect(useTools(access)).resolves.toBe(401);
    await expect(refresh(clientId, token)).resolves.toMatchObject({ body: { error: 'invalid_grant' } });
  });

  it('ends with a new password', async () => {
    const { access } = await connect();
    const body = { currentPassword: testPassword, newPassword: 'another rather long one' };
    await setting.api.send('POST /auth/change-password', { headers: setting.browser, body });
    await expect(useTools(access)).resolves.toBe(401);
  });

  it('is ended by its client', async () => {
    const { access, refresh: token } = await connect();
    await expect(post('/oauth/revoke', { token: `${token.slice(0, -1)}x` })).resolves.toMatchObject({ status: 200 });
    await expect(useTools(access)).resolves.toBe(reached);
    await expect(post('/oauth/revoke', { token })).resolves.toMatchObject({ status: 200 });
    await expect(useTools(access)).resolves.toBe(401);
  });

  it('is listed for its user, who ends it', async () => {
    const { access } = await connect('read');
    const { body } = await setting.api.send('GET /auth/connections', { headers: setting.browser });
    expect(body).toMatchObject({
      connections: [{ clientName: 'Chat', access: 'read', redirectAddress }],
      resource: `${setting.api.url}/mcp`,
      unavailableReason: null,
    });
    const [{ id = '' } = {}] = body.connections as { readonly id?: string }[];

    const other = await setting.api.createToken('admin');
    await expect(setting.api.send('GET /auth/connections', { as: other })).resolves.toMatchObject({
      body: { connections: [] },
    });
    await expect(setting.api.send(`DELETE /auth/connections/${id}`, { as: other })).resolves.toMatchObject({
      status: 404,
      body: { reason: 'connection_not_found' },
    });
    await expect(
      setting.api.send(`DELETE /auth/connections/${id}`, { headers: setting.browser }),
    ).resolves.toMatchObject({
      status: 204,
    });
    await expect(useTools(access)).resolves.toBe(401);
  });
});
