import type { ForestNode } from '@weir/rollout-contract';
import { compareTurns, type ComparedSide } from './compare-turns';

const node = (id: string, reward: number | null): ForestNode => ({
  interaction_id: id,
  parent_id: null,
  index: 0,
  continuity: 'root',
  fork_reason: null,
  reward,
  discounted_reward: reward,
  inherited_tokens: 0,
  prompt_tokens: 2,
  sampled_tokens: 2,
  mean_logprob: -1,
  versions: [1],
  finish_reason: 'stop',
  quarantine: null,
  retry: null,
  protocol: 'chat',
  created_at: '2026-01-01T00:00:00Z',
  completed_at: '2026-01-01T00:00:01Z',
  request_role: 'user',
  request_text: '',
  answer_text: '',
  tool_names: [],
});

/** Turns of four tokens each, of which the last two are sampled. */
function aSide(name: string, turns: readonly (readonly number[])[]): ComparedSide {
  const starts = turns.map((_, turn) => turns.slice(0, turn).reduce((sum, { length }) => sum + length, 0));
  return {
    path: {
      ids: Int32Array.from(turns.flat()),
      segments: turns.map(({ length }, turn) => {
        const from = starts[turn] ?? 0;
        return { interaction_id: `${name}${turn}`, from, sampled_from: from + 2, to: from + length };
      }),
    },
    nodes: turns.map((_, turn) => node(`${name}${turn}`, turn)),
  };
}

describe('the turns of two paths', () => {
  it('are compared one by one, each from its own start', () => {
    const turns = compareTurns(
      aSide('a', [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ]),
      aSide('b', [
        [1, 2, 3, 9, 9],
        [5, 6, 7, 8],
      ]),
    );

    expect(turns.map(({ difference }) => difference)).toEqual([{ left: 3, right: 3, isSampled: true }, undefined]);
    expect(turns[1]).toMatchObject({
      number: 2,
      left: { interactionId: 'a1', reward: 1 },
      right: { interactionId: 'b1' },
    });
  });

  it('report when the requests differ, and when one side has more turns', () => {
    const turns = compareTurns(
      aSide('a', [[1, 2, 3, 4]]),
      aSide('b', [
        [1, 7, 3, 4],
        [5, 6, 7, 8],
      ]),
    );

    expect(turns[0]?.difference).toEqual({ left: 1, right: 1, isSampled: false });
    expect(turns[1]).toMatchObject({ left: undefined, right: { interactionId: 'b1' } });
    expect(turns[1]?.difference).toBeUndefined();
  });

  it('differ at the end of the shorter one', () => {
    expect(compareTurns(aSide('a', [[1, 2, 3]]), aSide('b', [[1, 2, 3, 4]]))[0]?.difference).toEqual({
      left: 3,
      right: 3,
      isSampled: true,
    });
  });
});
