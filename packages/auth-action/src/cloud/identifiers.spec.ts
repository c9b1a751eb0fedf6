import { accountName, cloudPlatformScope, providerAudience } from './identifiers';

describe('identifiers', () => {
  it('follow the universe', () => {
    expect(providerAudience('googleapis.com', 'projects/1')).toBe('//iam.googleapis.com/projects/1');
    expect(cloudPlatformScope('example.test')).toBe('https://www.example.test/auth/cloud-platform');
  });

  it.each(['a@b.iam.gserviceaccount.com', 'projects/-/serviceAccounts/a@b.iam.gserviceaccount.com'])(
    'make %s canonical',
    (account) => {
      expect(accountName(account)).toBe('projects/-/serviceAccounts/a@b.iam.gserviceaccount.com');
    },
  );
});
