import { isLoopbackHost } from './loopback-host';

describe('isLoopbackHost', () => {
  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])('accepts %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each(['0.0.0.0', '127.example.com', '127.0.0.1.example.com', 'localhost.example.com', '::', ''])(
    'refuses %j',
    (host) => {
      expect(isLoopbackHost(host)).toBe(false);
    },
  );
});
