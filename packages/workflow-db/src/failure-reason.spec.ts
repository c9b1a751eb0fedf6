import { createDatabase } from './create-database';
import { describeFailure } from './failure-reason';

describe('reasonOf', () => {
  it('gives the last line of the innermost cause', () => {
    const cause = new Error('Invalid invocation:\n\nconnect ECONNREFUSED 127.0.0.1:1');
    expect(describeFailure(new Error('outer', { cause }))).toBe('connect ECONNREFUSED 127.0.0.1:1');
  });

  it('leaves user and password of an address out', () => {
    expect(describeFailure(new Error('cannot open postgres://ada:hunter2@db/weir'))).toBe(
      'cannot open postgres://db/weir',
    );
  });

  it('has words for a failure that says nothing', () => {
    expect(describeFailure(undefined)).toBe('it does not answer');
  });
});

describe('createDatabase', () => {
  it('says why the server cannot be reached, and not with which password', async () => {
    await expect(createDatabase({ url: 'postgres://ada:hunter2@127.0.0.1:1/weir' })).rejects.toMatchObject({
      reason: 'database_unreachable',
      message: expect.stringMatching(/^The database cannot be reached: (?!.*hunter2).*127\.0\.0\.1/) as string,
    });
  });
});
