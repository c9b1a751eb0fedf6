import fc from 'fast-check';
import { exportTrajectories } from '../export/export-trajectories';
import { describePath } from './describe-path';
import { createInteractionCache } from './interaction-cache';
import { collectPathIds } from './path-tokens';
import { aDraft, sessions } from './testing/session-builder';

describe('describePath', () => {
  it('distinguishes the tokens of the template, of earlier answers and of this one', () => {
    const cache = createInteractionCache();
    const first = cache.add(aDraft({ context: [1, 2], answer: [16, 17] }));
    const second = cache.add(aDraft({ parent: first, context: [3], answer: [18] }));
    const { ids, logprobs, versions, sources, turns } = describePath(second);
    expect([...ids]).toEqual([1, 2, 16, 17, 3, 18]);
    expect([...logprobs]).toEqual([NaN, NaN, -1, -17 / 16, NaN, -18 / 16]);
    expect([...versions]).toEqual([-1, -1, 1, 2, -1, 0]);
    expect([...sources]).toEqual([0, 0, 2, 2, 0, 1]);
    expect([...turns]).toEqual([0, 0, 0, 0, 1, 1]);
  });

  it('marks the trained tokens of the row of the interaction, for every session', () => {
    fc.assert(
      fc.property(sessions, (cache) => {
        for (const { id, dict } of exportTrajectories(cache).entries) {
          const interaction = cache.get(id);
          if (interaction === undefined) throw new Error('A row has no interaction.');
          const { ids, sources, logprobs } = describePath(interaction);
          expect(ids).toEqual(collectPathIds(interaction));
          expect([...sources].map((source) => Number(source === 1))).toEqual([...dict.loss_mask.data]);
          [...dict.loss_mask.data].forEach((mask, at) => {
            if (mask === 1) expect(logprobs[at]).toBe(dict.logprobs.data[at]);
          });
        }
      }),
    );
  });
});
