import type { SearchResponse } from '@weir/rollout-contract';
import { useReadableProxy } from '../testing/use-readable-proxy';

const { converse, get } = useReadableProxy();

describe('GET /rl/search', () => {
  it('finds text of any case, and reports its location', async () => {
    const { id, first } = await converse();
    const { body } = await get('/rl/search?text=zugspitze');
    expect(body).toEqual({
      matches: [
        expect.objectContaining({
          session_id: id,
          interaction_id: first,
          role: 'user',
          part: 'content',
          before: 'How high is the ',
          match: 'Zugspitze',
          after: '?',
        }),
      ],
      next_cursor: null,
      searched_interactions: 2,
    });
    expect((await get('/rl/search?text=zugspitze&match_case=true')).body.matches).toEqual([]);
    expect((await get('/rl/search?text=.%2B')).body.matches).toEqual([]);
  });

  it('continues from the last position', async () => {
    for (let at = 0; at < 3; at += 1) await converse();
    const seen: unknown[] = [];
    let next: string | null = '';
    while (next !== null) {
      const cursor: string = next === '' ? '' : `&cursor=${next}`;
      const { matches, next_cursor } = (await get(`/rl/search?text=feet&limit=1${cursor}`))
        .body as unknown as SearchResponse;
      seen.push(...matches.map((match) => match.session_id));
      next = next_cursor;
    }
    expect(seen).toEqual(['task-2', 'task-1', 'task-0']);
  });
});
