import type { ReactElement, ReactNode } from 'react';
import type { TokenPath } from '../api/read-tokens';
import { formatCount } from '../parts/format-number';
import type { TokenJumps } from './token-jumps';
import { toHex, tokenText } from './token-text';
import { useTokensMessages } from './tokens-messages';
import styles from './tokens.module.css';

export interface TokenInspectorProps {
  readonly path: TokenPath;
  readonly mask: Uint8Array;
  readonly quarantine: string | null;
  readonly jumps: TokenJumps;
  readonly at: number | undefined;
}

/** All that is known of one token, below the strip, where it covers none of it. */
export function TokenInspector({ path, mask, quarantine, jumps, at }: TokenInspectorProps): ReactElement {
  const t = useTokensMessages();
  if (at === undefined || at >= path.count) return <div className={styles.inspector}>{t('tokens.hover')}</div>;
  const bytes = path.bytesOf(at);
  const logprob = path.logprobs[at] ?? Number.NaN;
  const isSampled = !Number.isNaN(logprob);
  const rank = jumps.rankOf(at);
  const prompt = path.promptLogprobs?.[at] ?? Number.NaN;
  const shown = isSampled ? logprob : prompt;
  const entropy = path.entropies?.[at] ?? Number.NaN;
  const weight = path.lossWeights?.[at] ?? Number.NaN;
  const left = path.maskSizes?.[at] ?? -1;
  return (
    <div role="status" className={styles.inspector}>
      <p className={styles.inspected}>
        <code>{tokenText(bytes)}</code>
        <span>{t('tokens.position', { at: formatCount(at + 1), count: formatCount(path.count) })}</span>
        <span>{explain(t, { path, mask, quarantine, at })}</span>
      </p>
      <dl className={styles.facts}>
        <Fact name={t('tokens.id')}>{path.ids[at]}</Fact>
        <Fact name={t('tokens.bytes')}>{toHex(bytes)}</Fact>
        <Fact name={t('tokens.p')}>{Number.isNaN(shown) ? t('tokens.notSampled') : formatProbability(shown)}</Fact>
        {Number.isNaN(shown) ? null : <Fact name={t('tokens.logprob')}>{shown.toFixed(4)}</Fact>}
        {rank === undefined ? null : (
          <Fact name={t('tokens.rank')}>
            {t('tokens.rankOf', { rank: formatCount(rank), count: formatCount(jumps.sampledCount) })}
          </Fact>
        )}
        {[...path.scores].map(([scorer, scores]) => (
          <Score key={scorer} scorer={scorer} score={scores[at] ?? Number.NaN} logprob={logprob} />
        ))}
        {Number.isNaN(entropy) ? null : <Fact name={t('tokens.entropy')}>{entropy.toFixed(4)}</Fact>}
        {left > 0 ? <Fact name={t('tokens.left')}>{formatCount(left)}</Fact> : null}
        {Number.isNaN(weight) ? null : <Fact name={t('tokens.weight')}>{weight}</Fact>}
        {isSampled ? <Fact name={t('tokens.colour.version')}>{path.versions[at]}</Fact> : null}
        <Fact name={t('tokens.colour.turn')}>{(path.turns[at] ?? 0) + 1}</Fact>
      </dl>
    </div>
  );
}

type ReasonOptions = Pick<TokenInspectorProps, 'path' | 'mask' | 'quarantine'> & { readonly at: number };

/** Why the token is trained or not. */
function explain(t: ReturnType<typeof useTokensMessages>, { path, mask, quarantine, at }: ReasonOptions): string {
  if (mask[at] === 1) return t('tokens.why.trained');
  if (path.sources[at] === 0) return t('tokens.why.template');
  if (path.sources[at] === 2) return t('tokens.why.spliced');
  return quarantine === null ? t('tokens.why.untrainedSampled') : t('tokens.why.quarantine', { reason: quarantine });
}

const formatProbability = (logprob: number): string => Math.exp(logprob).toPrecision(4);

interface ScoreProps {
  readonly scorer: string;
  readonly score: number;
  readonly logprob: number;
}

/** What another model thinks of the token. */
function Score({ scorer, score, logprob }: ScoreProps): ReactElement | null {
  const t = useTokensMessages();
  if (Number.isNaN(score)) return null;
  const values = { logprob: score.toFixed(4), difference: Math.abs(logprob - score).toFixed(4) };
  return <Fact name={scorer}>{t(score < logprob ? 'tokens.scored.less' : 'tokens.scored.more', values)}</Fact>;
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
