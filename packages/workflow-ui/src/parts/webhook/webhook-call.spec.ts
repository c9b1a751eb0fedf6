import { webhookCommand } from './webhook-call';

it('returns the terminal commands that call a webhook, without its token', () => {
  expect(webhookCommand('https://weir.example/api/v1', 'load orders')).toBe(
    [
      'curl -X POST https://weir.example/api/v1/webhooks/load%20orders',
      '-H "Authorization: Bearer $WEBHOOK_TOKEN"',
      `-H 'Content-Type: application/json'`,
      `-d '{"payload":{"reason":"test"}}'`,
    ].join(' \\\n  '),
  );
});
