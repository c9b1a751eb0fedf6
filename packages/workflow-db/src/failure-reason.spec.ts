import { createDatabase } from './create-database';
import { describeFailure } from './failure-reason';

describe('describeFailure', () => {
  it('returns the last line of the innermost cause', () => {
    const cause = new Error('Invalid invocation:\n\nconnect ECONNREFUSED 127.0.0.1:1');
    expect(describeFailure(new Error('outer', { cause }))).toBe('connect ECONNREFUSED 127.0.0.1:1');
  });

  it('omits the user and password of a URL', () => {
    expect(describeFailure(new Error('cannot open postgres://ada:hunter2@db/weir'))).toBe(
      'cannot open postgres://db/weir',
    );
  });

  it('returns a message for a failure without one', () => {
    expect(describeFailure(undefined)).toBe('it does not answer');
  });
});

describe('createDatabase', () => {
  it('reports why the server cannot be reached, without the password', async () => {
    await expect(createDatabase({ url: 'postgres://ada:hunter2@127.0.0.1:1/weir' })).rejects.toMatchObject({
      reason: 'database_unreachable',
      message: expect.stringMatching(/^The database cannot be reached: (?!.*hunter2).*127\.0\.0\.1/) as string,
    });
  });
});
