import { checkTrainingTensorDict, type TensorDict } from '@weir/tensor-dict';
import fc from 'fast-check';
import { createInteractionCache, type InteractionCache } from '../cache/interaction-cache';
import { pathSegments, collectPathIds } from '../cache/path-tokens';
import { aChain, aDraft, sessions, someTop } from '../cache/testing/session-builder';
import { exportStyles, type ExportOptions, type ExportStyle } from './export-options';
import { exportTrajectories, type TrainingEntry } from './export-trajectories';
import { readTrainingBatch, writeTrainingBatch } from './training-batch';
import { findRetryOrphans } from './retry-orphans';

const failure = (code: string, reason: string) => expect.objectContaining({ code, reason }) as Error;

const toLists = (dict: TensorDict) =>
  Object.fromEntries(Object.entries(dict).map(([key, { data }]) => [key, [...data]] as const));

const exportRows = (cache: InteractionCache, options: ExportOptions) =>
  exportTrajectories(cache, options).entries.map(({ dict }) => toLists(dict));

/** Two turns in one row: 1 2 |3, then 4 |5. */
function twoCompletions() {
  const cache = createInteractionCache();
  const first = cache.add(aDraft({ context: [1, 2], answer: [3] }));
  const second = cache.add(aDraft({ parent: first, context: [4], answer: [5] }));
  cache.rewards.set(second.id, 2);
  return { cache, first, second };
}

describe('exportTrajectories', () => {
  it('returns a separate row for each call in the individual style', () => {
    const rows = exportRows(twoCompletions().cache, { style: 'individual', discount: 0.5 });
    expect(rows).toEqual([
      {
        input_ids: [1, 2, 3],
        loss_mask: [0, 0, 1],
        logprobs: [0, 0, -0.1875],
        versions: [-1, -1, 0],
        attention_mask: [1, 1, 1],
        rewards: [1],
        turn_ids: [-1, -1, 0],
        original_rewards: [0],
      },
      {
        input_ids: [1, 2, 3, 4, 5],
        loss_mask: [0, 0, 0, 0, 1],
        logprobs: [0, 0, 0, 0, -0.3125],
        versions: [-1, -1, -1, -1, 2],
        attention_mask: [1, 1, 1, 1, 1],
        rewards: [2],
        turn_ids: [-1, -1, -1, -1, 1],
        original_rewards: [2],
      },
    ]);
  });

  it('returns one row for a conversation in the concat style', () => {
    expect(exportRows(twoCompletions().cache, { style: 'concat', discount: 0.5 })).toEqual([
      {
        input_ids: [1, 2, 3, 4, 5],
        loss_mask: [0, 0, 1, 0, 1],
        logprobs: [0, 0, -0.1875, 0, -0.3125],
        versions: [-1, -1, 0, -1, 2],
        attention_mask: [1, 1, 1, 1, 1],
        rewards: [2],
        turn_ids: [-1, -1, 0, -1, 1],
        original_rewards: [2],
      },
    ]);
  });

  it('trains the common part of two branches only in the row of the earlier leaf', () => {
    const { cache, first } = twoCompletions();
    cache.add(aDraft({ parent: first, context: [6], answer: [7] }));
    const rows = exportRows(cache, { style: 'concat' });
    expect(rows.map((row) => row.loss_mask)).toEqual([
      [0, 0, 1, 0, 1],
      [0, 0, 0, 0, 1],
    ]);
    expect(rows[1]).toMatchObject({
      input_ids: [1, 2, 3, 6, 7],
      logprobs: [0, 0, 0, 0, -0.4375],
      versions: [-1, -1, -1, -1, 1],
      turn_ids: [-1, -1, -1, -1, 1],
    });
  });

  it('ends the row of a call that was forked, and continues it where another child does', () => {
    const { cache, second } = twoCompletions();
    cache.add(aDraft({ parent: second, inheritedTokens: 0, context: [8, 9], answer: [10] }));
    const ids = () => exportRows(cache, { style: 'concat' }).map((row) => row.input_ids);
    expect(ids()).toEqual([
      [1, 2, 3, 4, 5],
      [8, 9, 10],
    ]);
    cache.add(aDraft({ parent: second, context: [11], answer: [12] }));
    expect(ids()).toEqual([
      [8, 9, 10],
      [1, 2, 3, 4, 5, 11, 12],
    ]);
  });

  it('trains an answer in a separate row if a child contains only a part of it', () => {
    const cache = createInteractionCache();
    const parent = cache.add(aDraft({ context: [1], answer: [2, 3] }));
    cache.add(aDraft({ parent, inheritedTokens: 2, context: [4], answer: [5] }));
    expect(exportRows(cache, { style: 'concat' })).toMatchObject([
      { input_ids: [1, 2, 3], loss_mask: [0, 1, 1] },
      { input_ids: [1, 2, 4, 5], loss_mask: [0, 0, 0, 1] },
    ]);
  });

  it('never trains a quarantined call, and keeps those before and after it', () => {
    const { cache, first, second } = twoCompletions();
    const doubt = cache.add(aDraft({ parent: second, context: [6], answer: [7], quarantine: 'prompt_ids_differ' }));
    const { entries, report } = exportTrajectories(cache, { style: 'concat' });
    expect(entries.map(({ id, trainedIds }) => ({ id, trainedIds }))).toEqual([
      { id: second.id, trainedIds: [first.id, second.id] },
    ]);
    expect(report).toMatchObject({
      interactions: 3,
      rows: 1,
      trainedTokens: 2,
      untrainedTokens: 1,
      quarantined: [{ id: doubt.id, reason: 'prompt_ids_differ' }],
    });
    cache.add(aDraft({ parent: doubt, context: [8], answer: [9] }));
    expect(exportRows(cache, { style: 'concat' })).toMatchObject([
      { input_ids: [1, 2, 3, 4, 5, 6, 7, 8, 9], loss_mask: [0, 0, 1, 0, 1, 0, 0, 0, 1] },
    ]);
  });

  it('reports retries that no later call continues, and omits them and their rewards on request', () => {
    const cache = createInteractionCache();
    const parent = cache.add(aDraft());
    const [orphan, retained] = [cache.add(aDraft({ parent })), cache.add(aDraft({ parent }))];
    cache.rewards.setAll({ [orphan.id]: 4, [retained.id]: 1 });
    const all = exportTrajectories(cache, { style: 'concat' });
    expect(all.entries.map(({ id }) => id)).toEqual([orphan.id, retained.id]);
    expect(all.report.orphans).toEqual({
      isDropped: false,
      ids: [orphan.id],
      rewarded: [orphan.id],
      unresolved: [retained.id],
    });
    const dropped = exportTrajectories(cache, { style: 'individual', dropRetryOrphans: true });
    expect(dropped.entries.map(({ id, reward }) => [id, reward])).toEqual([
      [parent.id, 1],
      [retained.id, 1],
    ]);
    expect(dropped.report).toMatchObject({ orphans: { isDropped: true }, untrainedTokens: 1 });
  });

  it('counts drift by its kind', () => {
    const { cache, second } = twoCompletions();
    const continuity = { kind: 'forked', reason: 'template_changed' } as const;
    cache.add(aDraft({ parent: second, inheritedTokens: 0, continuity }));
    expect(exportTrajectories(cache).report.drift).toEqual({ root: 1, continued: 1, forked: { template_changed: 1 } });
  });

  it('omits the optional keys on request', () => {
    const [entry] = exportTrajectories(twoCompletions().cache, { turnIds: false, originalRewards: false }).entries;
    expect(Object.keys(entry?.dict ?? {})).toHaveLength(6);
  });

  it('adds the weights of trained tokens where they are asked for: 1 unless they were set', () => {
    const { cache, first } = twoCompletions();
    const weights = (style: ExportStyle) =>
      exportRows(cache, { style, tensors: ['loss_weights'] }).map((row) => row.loss_weights);
    expect(weights('concat')).toEqual([[0, 0, 1, 0, 1]]);
    cache.lossWeights.set(first.id, [{ from: 0, to: 1, weight: 0.25 }]);
    expect(weights('concat')).toEqual([[0, 0, 0.25, 0, 1]]);
    expect(weights('individual')).toEqual([
      [0, 0, 0.25],
      [0, 0, 0, 0, 1],
    ]);
  });

  it('adds the likeliest tokens of trained positions where they are asked for', () => {
    const cache = createInteractionCache();
    const withTop = (answer: number[], count: number) => {
      const draft = aDraft({ parent: cache.last, context: [1], answer });
      return { ...draft, sampled: { ...draft.sampled, top: someTop(answer.length, count) } };
    };
    cache.add(withTop([3, 4], 1));
    cache.add(withTop([5], 2));
    cache.add(aDraft({ parent: cache.last, context: [6], answer: [7] }));
    const [entry] = exportTrajectories(cache, { style: 'concat', tensors: ['top_logprobs'] }).entries;
    expect(entry?.dict.top_ids?.shape).toEqual([1, 7, 2]);
    expect([...(entry?.dict.top_ids?.data ?? [])]).toEqual([-1, -1, 100, -1, 101, -1, -1, -1, 100, -1, -1, -1, -1, -1]);
    const none = -9999;
    expect([...(entry?.dict.top_logprobs?.data ?? [])]).toEqual([
      none,
      none,
      -0,
      none,
      -0.125,
      none,
      none,
      none,
      -0,
      none,
      none,
      none,
      none,
      none,
    ]);
    expect(entry && checkTrainingTensorDict(entry.dict)).toBe(entry?.dict);
    const [plain] = exportTrajectories(cache, { style: 'concat' }).entries;
    expect(plain?.dict).not.toHaveProperty('top_ids');
  });

  it('adds the sampling masks of trained tokens where they are asked for and all of them have one', () => {
    const cache = createInteractionCache();
    const masked = (answer: number[], lengths: number[], ids: number[]) => {
      const draft = aDraft({ parent: cache.last, context: [1], answer });
      const mask = { lengths: Int32Array.from(lengths), ids: Int32Array.from(ids) };
      return { ...draft, sampled: { ...draft.sampled, mask } };
    };
    cache.add(masked([3, 4], [1, 3], [3, 4, 5, 6]));
    cache.add(masked([5], [0], []));
    const options = { style: 'concat', tensors: ['sampling_mask'] } as const;
    const { entries } = exportTrajectories(cache, options);
    const none = [-1, -1, -1];
    expect(entries[0]?.dict.sampling_mask?.shape).toEqual([1, 5, 3]);
    expect([...(entries[0]?.dict.sampling_mask?.data ?? [])]).toEqual(
      [none, [3, -1, -1], [4, 5, 6], none, none].flat(),
    );
    expect(readTrainingBatch(writeTrainingBatch(entries))[0]?.dict).toEqual(entries[0]?.dict);
    cache.add(aDraft({ parent: cache.last }));
    expect(() => exportTrajectories(cache, options)).toThrow(failure('conflict', 'tensor_not_recorded'));
  });

  it('adds the log-probabilities of context tokens where they are asked for and all calls of a path have them', () => {
    const cache = createInteractionCache();
    const first = cache.add({ ...aDraft({ context: [1, 2], answer: [3] }), contextLogprobs: Float32Array.of(0, -1) });
    const options = { style: 'concat', tensors: ['prompt_logprobs'] } as const;
    const second = aDraft({ parent: first, context: [4], answer: [5] });
    cache.add({ ...second, contextLogprobs: Float32Array.of(-2) });
    const { entries } = exportTrajectories(cache, options);
    expect(entries[0]?.dict.prompt_logprobs?.data).toEqual(Float32Array.of(0, -1, 0, -2, 0));
    expect(readTrainingBatch(writeTrainingBatch(entries))[0]?.dict).toEqual(entries[0]?.dict);
    cache.add(aDraft({ parent: first, context: [6], answer: [7] }));
    expect(() => exportTrajectories(cache, options)).toThrow(failure('conflict', 'tensor_not_recorded'));
  });

  it('adds the experts of each token of a path where they are asked for, and restores them from a file', () => {
    const cache = createInteractionCache();
    const experts = (from: number, ids: readonly number[]) => ({
      routedExperts: { from, layers: 2, perToken: 1, ids: Int16Array.from(ids) },
    });
    const first = cache.add({ ...aDraft({ context: [1, 2], answer: [3] }), ...experts(0, [1, 2, 3, 4]) });
    const second = aDraft({ parent: first, context: [4], answer: [5, 6] });
    cache.add({ ...second, ...experts(2, [5, 6, 7, 8, 9, 10]) });
    const options = { style: 'concat', tensors: ['routed_experts'] } as const;
    const { entries } = exportTrajectories(cache, options);
    expect(entries[0]?.dict.routed_experts).toMatchObject({
      shape: [1, 6, 2, 1],
      data: Int16Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, -1),
    });
    const individual = exportTrajectories(cache, { ...options, style: 'individual' }).entries;
    expect(individual[0]?.dict.routed_experts?.data).toEqual(Int16Array.of(1, 2, 3, 4, -1, -1));
    for (const rows of [entries, individual]) {
      for (const { dict } of rows) checkTrainingTensorDict(dict);
      expect(readTrainingBatch(writeTrainingBatch(rows)).map(({ dict }) => dict)).toEqual(rows.map(({ dict }) => dict));
    }
    cache.add(aDraft({ context: [9], answer: [9] }));
    expect(() => exportTrajectories(cache, options)).toThrow(failure('conflict', 'tensor_not_recorded'));
  });

  it('refuses the likeliest tokens where none were recorded, or where they are too many', () => {
    const tensors = ['top_logprobs'] as const;
    const notRecorded = failure('conflict', 'tensor_not_recorded');
    expect(() => exportTrajectories(twoCompletions().cache, { tensors })).toThrow(notRecorded);
    expect(exportTrajectories(createInteractionCache(), { tensors }).entries).toEqual([]);
    const cache = createInteractionCache();
    const draft = aDraft({ context: [1], answer: [3] });
    cache.add({ ...draft, sampled: { ...draft.sampled, top: someTop(1, 4) } });
    const tooLarge = failure('payload_too_large', 'export_too_large');
    expect(() => exportTrajectories(cache, { tensors, maxTokens: 7 })).toThrow(tooLarge);
    expect(exportTrajectories(cache, { tensors, maxTokens: 8 }).entries).toHaveLength(1);
  });

  it('exports nothing of a session without calls', () => {
    const { entries, report } = exportTrajectories(createInteractionCache());
    expect(entries).toEqual([]);
    expect(report).toMatchObject({ interactions: 0, rows: 0, tokens: 0, trainedTokens: 0 });
  });

  it('can be repeated, even with another style and discount', () => {
    const { cache } = twoCompletions();
    const options = { style: 'concat', discount: 0.5 } as const;
    const first = exportRows(cache, options);
    exportRows(cache, { style: 'individual', discount: 1, rule: 'linear' });
    expect(exportRows(cache, options)).toEqual(first);
  });

  it('refuses an unknown style, a bad discount and more tokens than allowed', () => {
    const { cache } = twoCompletions();
    const style = 'tree' as ExportStyle;
    expect(() => exportTrajectories(cache, { style })).toThrow(failure('invalid_request', 'export_style_invalid'));
    expect(() => exportTrajectories(cache, { discount: 2 })).toThrow(failure('invalid_request', 'discount_invalid'));
    const tooLarge = failure('payload_too_large', 'export_too_large');
    expect(() => exportTrajectories(cache, { maxTokens: 7 })).toThrow(tooLarge);
    expect(exportTrajectories(cache, { maxTokens: 8 }).entries).toHaveLength(2);
  });

  it('refuses a reward that has grown too large for a float32', () => {
    const cache = createInteractionCache();
    const parent = cache.add(aDraft());
    for (let child = 0; child < 2; child += 1) cache.rewards.set(cache.add(aDraft({ parent })).id, 3e38);
    expect(() => exportTrajectories(cache)).toThrow(failure('internal', 'export_invalid'));
  });

  it('refuses a call that claims more tokens than its parent has', () => {
    const { cache, second } = twoCompletions();
    const forged = { ...second, inheritedTokens: 4, pathTokens: 6 };
    const broken: InteractionCache = { ...summariseCache(cache), [Symbol.iterator]: () => [forged][Symbol.iterator]() };
    expect(() => exportTrajectories(broken)).toThrow(failure('internal', 'export_invalid'));
  });

  it('handles a chain of 3,000 calls and 3,000 identical prompts', () => {
    const chain = createInteractionCache();
    aChain(chain, 3000);
    expect(exportTrajectories(chain, { style: 'concat' }).report).toMatchObject({ rows: 1, trainedTokens: 3000 });
    const wide = createInteractionCache();
    for (let call = 0; call < 3000; call += 1) wide.add(aDraft());
    expect(exportTrajectories(wide, { dropRetryOrphans: true }).report).toMatchObject({ rows: 1, trainedTokens: 1 });
  });
});

const summariseCache = (cache: InteractionCache) => ({
  size: cache.size,
  last: cache.last,
  byteSize: cache.byteSize,
  rewards: cache.rewards,
  lossWeights: cache.lossWeights,
  scores: cache.scores,
  get: (id: string) => cache.get(id),
  attach: cache.attach.bind(cache),
  findByTokens: cache.findByTokens.bind(cache),
  add: cache.add.bind(cache),
  mismatches: () => cache.mismatches(),
  addContext: cache.addContext.bind(cache),
  addScores: cache.addScores.bind(cache),
  findContext: cache.findContext.bind(cache),
});

describe('rows of any session', () => {
  const options = fc.record({ style: fc.constantFrom(...exportStyles), dropRetryOrphans: fc.boolean() });

  const trainable = (cache: InteractionCache, { dropRetryOrphans }: { dropRetryOrphans: boolean }) => {
    const orphans = new Set(dropRetryOrphans ? findRetryOrphans(cache).orphans : []);
    return [...cache].filter((one) => one.quarantine === undefined && !orphans.has(one));
  };

  /** The bits of trained tokens in a row, as one text for each: a NaN or a rounded number would show. */
  const bits = (array: Float32Array) => [...new Int32Array(array.slice().buffer)];

  function trainedIn({ dict }: TrainingEntry) {
    const positions = [...dict.loss_mask.data].flatMap((trained, at) => (trained === 1 ? [at] : []));
    const logprobs = bits(dict.logprobs.data);
    return positions.map((at) => [dict.input_ids.data[at], logprobs[at], dict.versions.data[at]]);
  }

  it('are valid dictionaries of equal lengths whose ids are the sampled path', () => {
    fc.assert(
      fc.property(sessions, options, (cache, choices) => {
        for (const { id, dict } of exportTrajectories(cache, choices).entries) {
          const interaction = cache.get(id);
          checkTrainingTensorDict(dict);
          expect(interaction && [...dict.input_ids.data]).toEqual(interaction && [...collectPathIds(interaction)]);
          expect(dict.input_ids.shape).toEqual([1, interaction?.pathTokens]);
        }
      }),
    );
  });

  it('train every sampled and retained token exactly once, with its exact values', () => {
    fc.assert(
      fc.property(sessions, options, (cache, choices) => {
        const { entries, report } = exportTrajectories(cache, choices);
        const retained = trainable(cache, choices);
        const sampled = retained.reduce((sum, one) => sum + one.sampled.ids.length, 0);
        const masks = entries.reduce((sum, { dict }) => sum + dict.loss_mask.data.reduce((a, b) => a + b, 0), 0);
        expect([masks, report.trainedTokens]).toEqual([sampled, sampled]);
        expect(entries.flatMap(({ trainedIds }) => trainedIds).sort()).toEqual(retained.map(({ id }) => id).sort());
        for (const entry of entries) {
          const expected = entry.trainedIds.flatMap((id) => {
            const one = cache.get(id);
            if (one === undefined) return [];
            const logprobs = bits(one.sampled.logprobs);
            return [...one.sampled.ids].map((token, at) => [token, logprobs[at], one.sampled.versions[at]]);
          });
          expect(trainedIn(entry)).toEqual(expected);
        }
      }),
    );
  });

  it('have no row in the concat style that is contained in another', () => {
    fc.assert(
      fc.property(sessions, (cache) => {
        const { entries } = exportTrajectories(cache, { style: 'concat' });
        const paths = entries.map(({ id }) => cache.get(id)).flatMap((one) => (one ? [pathSegments(one)] : []));
        for (const path of paths) {
          const last = path.at(-1);
          const holders = paths.filter((other) =>
            other.some((segment) => segment.interaction === last?.interaction && segment.to === last.to),
          );
          expect(holders).toEqual([path]);
        }
      }),
    );
  });
});
