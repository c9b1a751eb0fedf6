import fc from 'fast-check';
import { createInteractionCache } from '../cache/interaction-cache';
import { aDraft, sessions, user } from '../cache/testing/session-builder';
import { exportTrajectories } from './export-trajectories';
import { trainedSpans } from './export-plan';
import { planExport } from './plan-export';

describe('planExport', () => {
  it('lists the omitted calls, with reasons', () => {
    const cache = createInteractionCache();
    const doubtful = cache.add(aDraft({ newMessages: [user('one')], quarantine: 'logprobs_missing' }));
    const orphan = cache.add(aDraft({ newMessages: [user('two')] }));
    cache.add(aDraft({ newMessages: [user('two')] }));
    const { rows, leftOut } = planExport(cache, { dropRetryOrphans: true });
    expect(leftOut).toEqual([
      { interaction: doubtful, reason: 'logprobs_missing' },
      { interaction: orphan, reason: 'retry_orphan' },
    ]);
    expect(rows).toHaveLength(1);
  });

  it.each(['individual', 'concat'] as const)('has the rows and masks of an export of style %s', (style) => {
    fc.assert(
      fc.property(sessions, fc.boolean(), (cache, dropRetryOrphans) => {
        const options = { style, dropRetryOrphans, discount: 0.5 };
        const { entries, report } = exportTrajectories(cache, options);
        const plan = planExport(cache, options);
        expect(plan.report).toEqual(report);
        expect(plan.rows.map(({ interaction, reward }) => [interaction.id, reward.reward])).toEqual(
          entries.map(({ id, reward }) => [id, reward]),
        );
        plan.rows.forEach((row, at) => {
          const mask = new Int32Array(row.interaction.pathTokens);
          for (const { from, to } of trainedSpans(row)) mask.fill(1, from, to);
          expect(mask).toEqual(entries[at]?.dict.loss_mask.data);
        });
        const trained = plan.rows.flatMap((row) => row.trained);
        expect(trained.length + plan.leftOut.length).toBe(cache.size);
      }),
    );
  });
});
