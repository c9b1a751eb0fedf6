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
        <Fact name={t('tokens.p')}>{isSampled ? Math.exp(logprob).toPrecision(4) : t('tokens.notSampled')}</Fact>
        {isSampled ? <Fact name={t('tokens.logprob')}>{logprob.toFixed(4)}</Fact> : null}
        {rank === undefined ? null : (
          <Fact name={t('tokens.rank')}>
            {t('tokens.rankOf', { rank: formatCount(rank), count: formatCount(jumps.sampledCount) })}
          </Fact>
        )}
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

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
