import { startTestProxy, type TestProxy } from '../testing/test-proxy';

let proxy: TestProxy;
beforeAll(async () => {
  proxy = await startTestProxy();
});
afterAll(() => proxy.stop());

describe('GET /models/{modelId}', () => {
  it.each(['/models/echo', '/v1/models/echo'])('answers the model: %s', async (path) => {
    const { key } = await proxy.start();
    const { status, body } = await proxy.call(path, { method: 'GET', key });
    expect([status, body]).toEqual([200, expect.objectContaining({ id: 'echo', object: 'model', owned_by: 'weir' })]);
  });

  it('answers 404 for another one, whose name may contain a slash', async () => {
    const { status, body } = await proxy.call('/v1/models/some%2Fmodel', { method: 'GET' });
    expect([status, body.reason]).toEqual([404, 'model_not_found']);
  });
});

describe('an operation with another method', () => {
  it.each([
    ['GET', '/export_trajectories', 'POST'],
    ['DELETE', '/rl/start_session', 'POST'],
    ['POST', '/v1/models', 'GET, HEAD'],
    ['PUT', '/rl/sessions/x', 'DELETE, GET, HEAD'],
    ['POST', '/metrics', 'GET, HEAD'],
  ])('%s %s is answered with 405 and Allow: %s', async (method, path, allow) => {
    const { status, headers, body } = await proxy.call(path, { method });
    expect([status, headers.get('allow'), body.code]).toEqual([405, allow, 'method_not_allowed']);
  });

  it('does not hide that a path is unknown', async () => {
    expect((await proxy.call('/nowhere', { method: 'GET' })).status).toBe(404);
  });
});
