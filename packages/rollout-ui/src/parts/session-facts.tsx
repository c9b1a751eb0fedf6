import type { SessionSummary } from '@weir/rollout-contract';
import { StatusName, type StatusKind } from '@weir/ui-kit';
import { TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { formatReward } from './format-number';
import { usePartsMessages } from './parts-messages';
import styles from './session-facts.module.css';

const shapes: Readonly<Record<SessionSummary['state'], StatusKind>> = {
  active: 'running',
  ending: 'retrying',
  ended: 'succeeded',
  exported: 'queued',
};

/** The state of a session: a shape, a colour and a word. */
export function SessionState({ state }: Pick<SessionSummary, 'state'>): ReactElement {
  const t = usePartsMessages();
  return <StatusName kind={shapes[state]} name={t(`parts.state.${state}`)} />;
}

/** The reward of a session or an interaction. */
export function Reward({ reward }: { readonly reward: number | null }): ReactElement {
  const t = usePartsMessages();
  if (reward !== null) return <span className={styles.reward}>{formatReward(reward)}</span>;
  return <span className={styles.muted}>{t('parts.reward.none')}</span>;
}

type SampledBy = Pick<SessionSummary, 'adapter' | 'first_version' | 'last_version'>;

/** The versions of the weights that sampled a session, after the adapter that has them. */
export function Versions({ adapter, first_version: first, last_version: last }: SampledBy): ReactElement | null {
  const t = usePartsMessages();
  if (first === null || last === null) return adapter === null ? null : <>{adapter}</>;
  const versions =
    first === last ? t('parts.versions.one', { version: first }) : t('parts.versions.span', { first, last });
  return <>{adapter === null ? versions : t('parts.versions.adapter', { adapter, versions })}</>;
}

/** What a trainer should look at; nothing where all is well. */
export function Doubts(props: Pick<SessionSummary, 'quarantined_count' | 'mismatch_count'>): ReactElement | null {
  const t = usePartsMessages();
  const texts = [
    ...(props.quarantined_count > 0 ? [t('parts.quarantined', { count: props.quarantined_count })] : []),
    ...(props.mismatch_count > 0 ? [t('parts.mismatches', { count: props.mismatch_count })] : []),
  ];
  if (texts.length === 0) return null;
  return (
    <span className={styles.doubts}>
      <TriangleAlert aria-hidden size={14} />
      {texts.join(', ')}
    </span>
  );
}
