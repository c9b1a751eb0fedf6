import { isAppError } from '@weir/foundation';
import { createInteractionCache } from '../cache/interaction-cache';
import type { Provenance } from '../cache/provenance';
import { aDraft, user, type DraftChoices } from '../cache/testing/session-builder';
import type { ExportOptions } from './export-options';
import { exportTrajectories } from './export-trajectories';

const provenance: Provenance = {
  engine: 'embedded',
  tokenizer: 'vocabulary',
  tokenizerParity: 'equal',
  template: 'template',
  logprobs: 'processed',
  versions: 'none',
  sampling: { temperature: 0.5 },
  isConstrained: false,
};

/** Returns the message of a strict export of the calls; a call in doubt has the id `doubtful`. */
function exportStrictly(calls: readonly DraftChoices[], options: ExportOptions = {}): unknown {
  const cache = createInteractionCache();
  calls.forEach((choices, at) => cache.add(aDraft({ newMessages: [user(`${at}`)], provenance, ...choices })));
  try {
    return exportTrajectories(cache, { strict: true, ...options }).entries.length;
  } catch (error) {
    return isAppError(error) ? [error.reason, error.details?.unproven] : error;
  }
}

const id = 'doubtful';
const { provenance: _recorded, ...older } = aDraft({ id });

describe('a strict export', () => {
  it('succeeds if everything is proven', () => {
    expect(exportStrictly([{}, {}])).toBe(2);
    expect(exportStrictly([{ provenance: { ...provenance, logprobs: 'raw' } }])).toBe(1);
  });

  it.each<[string, DraftChoices]>([
    ['logprobs_missing', { quarantine: 'logprobs_missing' }],
    ['tokenizer_unproven', { provenance: { ...provenance, tokenizerParity: 'unknown' } }],
    ['logprobs_unproven', { provenance: { ...provenance, logprobs: 'unknown' } }],
    ['version_unknown', { sampled: { ...aDraft().sampled, versions: Int32Array.of(-1) } }],
  ])('is refused, with the id of the call and the reason: %s', (reason, choices) => {
    expect(exportStrictly([{}, { id, ...choices }])).toEqual(['export_unproven', [{ id, reason }]]);
  });

  it('is refused for calls recorded without a provenance', () => {
    const cache = createInteractionCache();
    cache.add(older);
    expect(() => exportTrajectories(cache, { strict: true })).toThrow('not proven');
    expect(exportTrajectories(cache, { strict: false }).entries).toHaveLength(1);
  });

  it('is refused if the client may have seen another answer, even when the orphan is dropped', () => {
    const repeated = [{}, { id, newMessages: [user('0')] }];
    expect(exportStrictly(repeated, { dropRetryOrphans: true })).toEqual([
      'export_unproven',
      [{ id, reason: 'answer_unresolved' }],
    ]);
  });

  it('is refused as a whole for a session in quarantine', () => {
    expect(exportStrictly([{ id }], { quarantine: 'journal_damaged' })).toEqual([
      'export_unproven',
      [{ id, reason: 'journal_damaged' }],
    ]);
  });
});
