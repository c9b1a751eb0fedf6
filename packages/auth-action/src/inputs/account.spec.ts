import { parseAccount, parseProjectId, parseUserEmail, parseAccountProject } from './account';

describe('parseAccount', () => {
  it.each([
    'deployer@demo-project.iam.gserviceaccount.com',
    'deployer@demo-project.example.com.iam.gserviceaccount.com',
    '123456-compute@developer.gserviceaccount.com',
    'demo-project@appspot.gserviceaccount.com',
    '100000000000000000001',
  ])('accepts %s', (account) => {
    expect(parseAccount(account)).toEqual({ ok: true, value: account });
  });

  it.each(['serviceAccount:', 'projects/-/serviceAccounts/', 'projects/demo/serviceAccounts/'])(
    'removes the prefix %s',
    (prefix) => {
      expect(parseAccount(`${prefix}a@b.iam.gserviceaccount.com`)).toEqual({
        ok: true,
        value: 'a@b.iam.gserviceaccount.com',
      });
    },
  );

  it.each([
    ['a name alone', 'deployer', 'account_invalid', 'neither an email nor a unique id'],
    ['a path in the name', 'a/../b@c.iam.gserviceaccount.com', 'account_invalid', 'neither an email'],
    ['an encoded path in the name', 'a%2Fb@example.com', 'account_invalid', 'neither an email'],
    ['another action in the name', 'a:b@example.com', 'account_invalid', 'neither an email'],
    ['a stray quote', '"a@b.iam.gserviceaccount.com', 'text_quoted', 'quotation mark'],
  ])('refuses %s', (_, text, reason, sentence) => {
    expect(parseAccount(text)).toMatchObject({
      ok: false,
      reason,
      message: expect.stringContaining(sentence) as string,
    });
  });
});

describe('parseAccount doubts', () => {
  it.each([
    ['the email of a person', 'Me.x+y@example.com', 'Me.x+y@example.com', 'not the email of a service account'],
    ['a domain that only ends alike', 'a@evilgserviceaccount.com', 'a@evilgserviceaccount.com', 'not the email'],
    [
      'upper case, and uses lower case',
      'Deployer@Demo.iam.gserviceaccount.com',
      'deployer@demo.iam.gserviceaccount.com',
      'deployer@demo.iam.gserviceaccount.com is used',
    ],
  ])('%s', (_, text, value, warning) => {
    expect(parseAccount(text)).toEqual({ ok: true, value, warning: expect.stringContaining(warning) as string });
  });
});

describe('parseUserEmail', () => {
  it('accepts an email', () => {
    expect(parseUserEmail('ada.l+x@example.com')).toEqual({ ok: true, value: 'ada.l+x@example.com' });
  });

  it.each([
    ['ada', 'email_invalid'],
    ['ada@localhost', 'email_invalid'],
    ['<ada@example.com>', 'email_invalid'],
    ['ada@example.com bob@example.com', 'text_with_spaces'],
  ])('refuses %j', (text, reason) => {
    expect(parseUserEmail(text)).toMatchObject({ ok: false, reason });
  });
});

describe('parseProjectId', () => {
  it.each(['demo-project', 'example.com:demo-project', '123456'])('accepts %s', (text) => {
    expect(parseProjectId(text)).toEqual({ ok: true, value: text });
  });

  it.each([
    ['demo_project', 'project_invalid'],
    ['demo-', 'project_invalid'],
    ['My Project', 'text_with_spaces'],
    ['$PROJECT', 'text_not_expanded'],
  ])('refuses %j', (text, reason) => {
    expect(parseProjectId(text)).toMatchObject({ ok: false, reason });
  });
});

describe('parseProjectId doubts', () => {
  it('upper case, and uses lower case', () => {
    expect(parseProjectId('Demo-Project')).toEqual({
      ok: true,
      value: 'demo-project',
      warning: expect.stringContaining('demo-project is used') as string,
    });
  });
});

describe('projectOfAccount', () => {
  it.each([
    ['deployer@demo-project.iam.gserviceaccount.com', 'demo-project'],
    ['deployer@demo-project.example.com.iam.gserviceaccount.com', 'example.com:demo-project'],
    ['123456-compute@developer.gserviceaccount.com', undefined],
    ['demo-project@appspot.gserviceaccount.com', undefined],
    ['service-1@gcp-sa-pubsub.iam.gserviceaccount.com', undefined],
    ['deployer@demo-project.eu0.iam.gserviceaccount.com', 'eu0:demo-project'],
    ['123456-compute@developer.eu0-system.iam.gserviceaccount.com', undefined],
    ['100000000000000000001', undefined],
  ])('finds the project of %s: %s', (account, project) => {
    expect(parseAccountProject(account)).toBe(project);
  });
});
