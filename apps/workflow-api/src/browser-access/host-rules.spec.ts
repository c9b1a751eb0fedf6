import { createHostRules } from './host-rules';

const rules = createHostRules({ listenHost: 'weir.internal', allowed: ['Weir.example.com', '.apps.example.com'] });

describe('the Host of a request', () => {
  it.each([
    ['a loopback name', 'localhost:8080'],
    ['a name below localhost', 'weir.localhost:8080'],
    ['a loopback address', '127.0.0.1:8080'],
    ['an address, which cannot be rebound', '192.168.1.20'],
    ['an IPv6 address', '[2001:db8::1]:8080'],
    ['what the server listens on', 'weir.internal:8080'],
    ['a listed name', 'weir.example.com'],
    ['a listed name in capitals', 'WEIR.EXAMPLE.COM:443'],
    ['a listed name with the dot of the root', 'weir.example.com.:8080'],
    ['a name below a listed domain', 'a.b.apps.example.com'],
  ])('is accepted as %s', (_, host) => {
    expect(rules.acceptsHost(host)).toBe(true);
  });

  it.each([
    ['any other name', 'attacker.example'],
    ['a name that begins like an address', '127.0.0.1.attacker.example'],
    ['a name that ends like a listed one', 'evilweir.example.com'],
    ['a name below a name that is listed alone', 'a.weir.example.com'],
    ['the domain of a list entry for the names below it', 'apps.example.com'],
    ['a loopback name as a user', 'localhost@attacker.example'],
    ['nothing', ''],
    ['something else than a host', 'localhost/x'],
  ])('is refused as %s', (_, host) => {
    expect(rules.acceptsHost(host)).toBe(false);
  });

  it('may be any name with *', () => {
    const any = createHostRules({ listenHost: '0.0.0.0', allowed: ['*'] });
    expect(any.acceptsHost('attacker.example')).toBe(true);
  });
});

describe('the Origin of a request', () => {
  it.each([
    ['that of the Host', 'http://localhost:8080', 'localhost:8080'],
    ['that of the Host behind TLS', 'https://192.168.1.20', '192.168.1.20'],
    ['that of a Host with the default port', 'https://192.168.1.20', '192.168.1.20:443'],
    ['a listed name whose proxy sends another Host', 'https://weir.example.com', '127.0.0.1:8080'],
  ])('is accepted as %s', (_, origin, host) => {
    expect(rules.acceptsOrigin(origin, host)).toBe(true);
  });

  it.each([
    ['another site', 'https://attacker.example', 'localhost:8080'],
    ['another port of the machine', 'http://localhost:3000', 'localhost:8080'],
    ['another loopback name', 'http://127.0.0.1:8080', 'localhost:8080'],
    ['a page without an origin', 'null', 'localhost:8080'],
    ['another scheme', 'chrome-extension://localhost:8080', 'localhost:8080'],
  ])('is refused as %s', (_, origin, host) => {
    expect(rules.acceptsOrigin(origin, host)).toBe(false);
  });

  it.each(['127.0.0.1', 'localhost'])(
    'is refused as another port of the %s that the server listens on',
    (listenHost) => {
      const local = createHostRules({ listenHost, allowed: [] });
      expect(local.acceptsOrigin(`http://${listenHost}:3000`, `${listenHost}:8080`)).toBe(false);
    },
  );

  it('must equal the Host when any Host is accepted', () => {
    const any = createHostRules({ listenHost: '0.0.0.0', allowed: ['*'] });
    expect(any.acceptsOrigin('https://attacker.example', 'weir.example.com')).toBe(false);
  });
});
