import { interfaceAddress } from './interface-address';

it.each([
  ['https://weir.example/api/v1', 'https://weir.example/'],
  ['https://weir.example/base/api/v1/', 'https://weir.example/base/'],
  ['http://10.0.0.7:8080', 'http://10.0.0.7:8080/'],
])('the interface of %s is at %s', (apiBaseUrl, address) => {
  expect(interfaceAddress({ apiBaseUrl })).toBe(address);
});
