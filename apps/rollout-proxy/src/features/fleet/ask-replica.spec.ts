import type { ApiClient } from '@weir/api-client';
import type { Paths } from '@weir/rollout-contract/paths';
import { askSearch, askSessions, askStatus } from './ask-replica';

/** Answers as a version did that knew neither models nor positions. */
const earlier = (data: object) => ({ GET: () => Promise.resolve({ data }) }) as unknown as ApiClient<Paths>;

describe('a replica of an earlier version', () => {
  it('has sessions of no known model', async () => {
    const answer = await askSessions(earlier({ sessions: [{ session_id: 'a-0' }], next_cursor: null }));
    expect(answer).toEqual({ sessions: [{ session_id: 'a-0', models: [] }], next_cursor: null });
  });

  it('has a status without models', async () => {
    expect(await askStatus(earlier({ sessions: 1 }))).toEqual({ sessions: 1, models: [] });
  });

  it.each([
    [undefined, '999999999999999.0'],
    ['3.1', '3.1'],
  ])('finds what is before everything else after the cursor %s', async (cursor, position) => {
    const query = { text: 'a', ...(cursor !== undefined && { cursor }) };
    const answer = await askSearch(earlier({ matches: [{ match: 'a' }], next_cursor: null }), query);
    expect(answer.matches).toEqual([{ match: 'a', position }]);
  });
});
