import { removeRegistries } from './docker-config';

const added = [{ host: 'gcr.io', helper: undefined }];

describe('removeRegistries', () => {
  it.each([
    ['there are no sign-ins', { psFormat: 'x' }],
    ['an entry has no credentials', { auths: { 'gcr.io': {}, 'ghcr.io': { auth: 1 } } }],
    ['a helper was set since', { credHelpers: { 'gcr.io': 'gcloud' } }],
  ])('changes nothing if %s', (_, config) => {
    expect(removeRegistries(config, added)).toEqual(config);
  });
});
