import { accountName, defaultTokenAudience, poolName, providerAudience } from './identifiers';

describe('identifiers', () => {
  it('name providers and pools identically in every universe', () => {
    expect(providerAudience('projects/1')).toBe('//iam.googleapis.com/projects/1');
    expect(defaultTokenAudience('projects/1')).toBe('https://iam.googleapis.com/projects/1');
    expect(poolName('1', 'ci')).toBe('//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/ci');
  });

  it.each(['a@b.iam.gserviceaccount.com', 'projects/-/serviceAccounts/a@b.iam.gserviceaccount.com'])(
    'make %s canonical',
    (account) => {
      expect(accountName(account)).toBe('projects/-/serviceAccounts/a@b.iam.gserviceaccount.com');
    },
  );
});
