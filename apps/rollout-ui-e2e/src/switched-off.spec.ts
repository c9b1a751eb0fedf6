import { startViewer } from './support/start-viewer';

it('ROLLOUT_UI=off serves only the operations', async () => {
  const viewer = await startViewer({ ROLLOUT_UI: 'off' });
  try {
    for (const address of ['/', '/ui/']) expect((await fetch(`${viewer.url}${address}`)).status).toBe(404);
    await expect(fetch(`${viewer.url}/health`)).resolves.toMatchObject({ status: 200 });
    expect(viewer.process.stdout()).not.toContain('in a browser');
  } finally {
    await viewer.stop();
  }
});
