import { CopyButton, StatusName } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { useAuditMessages } from './audit-messages';
import styles from './audit.module.css';

/** The result of a check of the whole chain. */
export function ChainState({ verification }: { readonly verification: Schemas['AuditVerification'] }): ReactElement {
  const t = useAuditMessages();
  const { valid, entries, firstPosition, lastPosition, lastHash, problem } = verification;
  return (
    <section role="status" aria-label={t('audit.chain')} className={styles.chain}>
      <StatusName kind={valid ? 'succeeded' : 'failed'} name={t(valid ? 'audit.chain.valid' : 'audit.chain.broken')} />
      <span>
        {problem === undefined
          ? t('audit.chain.checked', { entries, first: firstPosition, last: lastPosition })
          : problem.message}
      </span>
      {valid && entries > 0 ? (
        <span className={styles.hash}>
          {t('audit.chain.hash')} <code title={lastHash}>{lastHash.slice(0, 12)}…</code>
          <CopyButton text={lastHash} label={t('audit.chain.copy')} />
        </span>
      ) : null}
    </section>
  );
}
