import { scoringKinds, type ScoringKind } from '@weir/rollout-engine';
import { z } from 'zod';
import { commaList } from './config-values';

/** A model that scores sessions. */
export interface ScorerConfig {
  readonly name: string;
  readonly kind: ScoringKind;
  readonly url: string;
}

const maxScorers = 8;
const entryForm = /^(?<name>[a-z][a-z0-9_-]{0,31})=(?<kind>[a-z-]+)@(?<url>https?:\/\/.+)$/;

function parseScorer(text: string): ScorerConfig | undefined {
  const { name, kind, url } = entryForm.exec(text)?.groups ?? {};
  const known = scoringKinds.find((one) => one === kind);
  if (name === undefined || url === undefined || known === undefined || !URL.canParse(url)) return undefined;
  return { name, kind: known, url };
}

/** Models as `name=kind@address`, each name once. Messages do not repeat addresses, which may have a password. */
export const scorerList = commaList.transform((entries, context): readonly ScorerConfig[] => {
  const scorers = entries.flatMap((entry) => parseScorer(entry) ?? []);
  const isEachOnce = new Set(scorers.map(({ name }) => name)).size === scorers.length;
  if (scorers.length !== entries.length || !isEachOnce || scorers.length > maxScorers) {
    context.addIssue({
      code: 'custom',
      message: `must be at most ${maxScorers} entries like teacher=vllm@http://host:8000 with different names, of the kinds ${scoringKinds.join(', ')}`,
    });
    return z.NEVER;
  }
  return scorers;
});
