import { isAppError } from '@weir/foundation';
import {
  compareWithRender,
  buildSampledMask,
  collectPathIds,
  mergeContinuations,
  type DriftKind,
  type Interaction,
  type InteractionCache,
} from '@weir/rollout-core';
import type { PromptBuilder, Tokenizer } from '@weir/rollout-engine';

/** The places where the template would render other tokens than those of the stored paths. */
export interface RenderedDrift extends Readonly<Record<DriftKind, number>> {
  /** The number of compared paths, and of those with a difference. */
  readonly paths: number;
  readonly differing: number;
  /** Paths beyond the limits, or rejected by the template. */
  readonly skipped: number;
}

export type CheckDrift = (cache: InteractionCache, signal: AbortSignal) => Promise<RenderedDrift>;

export interface DriftCheckParts {
  readonly prompts: Pick<PromptBuilder, 'renderPath'>;
  readonly tokenizer: Pick<Tokenizer, 'isControl' | 'endIds' | 'createDecoder'>;
  /** Default 32 paths and 262,144 tokens in total: rendering blocks the event loop. */
  readonly maxPaths?: number;
  readonly maxTokens?: number;
}

/** Compares the paths of the leaves, the latest first. */
export function createDriftCheck(parts: DriftCheckParts): CheckDrift {
  const { maxPaths = 32, maxTokens = 262_144 } = parts;
  return async (cache, signal) => {
    const found = { template: 0, retokenised: 0, other: 0, paths: 0, differing: 0, skipped: 0 };
    let tokens = 0;
    for (const leaf of findLeaves(cache)) {
      signal.throwIfAborted();
      const isWithin = found.paths < maxPaths && tokens + leaf.pathTokens <= maxTokens;
      const drift = isWithin ? await compareLeaf(parts, cache, leaf) : undefined;
      if (drift === undefined) {
        found.skipped += 1;
        continue;
      }
      tokens += leaf.pathTokens;
      found.paths += 1;
      found.differing += Number(drift.firstAt !== undefined);
      found.template += drift.counts.template;
      found.retokenised += drift.counts.retokenised;
      found.other += drift.counts.other;
    }
    return found;
  };
}

function findLeaves(cache: InteractionCache): readonly Interaction[] {
  const all = [...cache];
  const continued = new Set(all.filter((one) => one.inheritedTokens > 0).map((one) => one.parent));
  return all.filter((one) => !continued.has(one)).reverse();
}

async function compareLeaf({ prompts, tokenizer }: DriftCheckParts, cache: InteractionCache, leaf: Interaction) {
  const context = cache.findContext(leaf.contextKey);
  if (context === undefined) return undefined;
  const ends = new Set(tokenizer.endIds);
  try {
    const path = mergeContinuations([...leaf.messages, leaf.output]);
    return compareWithRender({
      ids: collectPathIds(leaf),
      sampled: buildSampledMask(leaf),
      rendered: await prompts.renderPath(path, context.tools, context.templateArguments),
      isControl: (id) => tokenizer.isControl(id) || ends.has(id),
      toText: (ids) => {
        const decoder = tokenizer.createDecoder({ showsControl: () => true });
        return decoder.push(ids) + decoder.end();
      },
    });
  } catch (error) {
    // A template may accept the messages one by one but not the whole conversation.
    if (isAppError(error) && error.code !== 'internal') return undefined;
    throw error;
  }
}
