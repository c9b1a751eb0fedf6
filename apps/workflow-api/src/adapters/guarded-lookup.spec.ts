import { isAllowedAddress } from './guarded-lookup';

describe('isAllowedAddress', () => {
  it.each([
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    'fe80::1',
    'fd00::1',
    '0.0.0.0',
  ])('refuses %s', (address) => expect(isAllowedAddress(address, [])).toBe(false));
  it.each(['::ffff:127.0.0.1', '[::1]', '224.0.0.1', '100.64.0.1', '64:ff9b::a00:1', '2002:a00:1::'])(
    'refuses %s',
    (address) => expect(isAllowedAddress(address, ['10.0.0.0/8'])).toBe(false),
  );
  it('accepts public addresses, and those of the allowed networks', () => {
    expect(isAllowedAddress('93.184.216.34', [])).toBe(true);
    expect(isAllowedAddress('10.1.2.3', ['10.0.0.0/8', 'fd00::/8'])).toBe(true);
  });
});
