import { Facts, ShortId, type Fact } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { JsonTree } from '../../parts/json-tree/json-tree';
import { PeekPane } from '../../parts/peek/peek-pane';
import type { AuditEntry } from './audit-data';
import { useAuditMessages } from './audit-messages';
import { callerOf, objectOf, readDetails } from './audit-words';
import { useActionName } from './use-action-name';

export interface AuditPeekProps {
  readonly entry: AuditEntry;
  readonly onClose: () => void;
}

/** The details of one entry, beside the list. */
export function AuditPeek({ entry, onClose }: AuditPeekProps): ReactElement {
  const t = useAuditMessages();
  const nameOf = useActionName();
  const facts = useFacts(entry);
  const details = readDetails(entry);
  return (
    <PeekPane label={nameOf(entry.action)} open={t('audit.position', { position: entry.position })} onClose={onClose}>
      <Facts facts={facts} />
      {Object.keys(details).length === 0 ? null : (
        <section aria-label={t('audit.details')}>
          <h3>{t('audit.details')}</h3>
          <JsonTree value={details} />
        </section>
      )}
    </PeekPane>
  );
}

function useFacts(entry: AuditEntry): readonly Fact[] {
  const t = useAuditMessages();
  const { timestamp, result, credentialType, ipAddress, correlationId, hash } = entry;
  return [
    { name: t('audit.time'), value: <Time value={timestamp} /> },
    { name: t('audit.result'), value: t(`audit.result.${result}`) },
    { name: t('audit.object'), value: objectOf(entry) },
    { name: t('audit.caller'), value: callerOf(entry) ?? t('audit.nobody') },
    { name: t('audit.credential'), value: credentialType },
    { name: t('audit.address'), value: ipAddress },
    { name: t('audit.request'), value: correlationId === undefined ? undefined : <ShortId id={correlationId} /> },
    { name: t('audit.hash'), value: <ShortId id={hash} /> },
  ].filter(({ value }) => value !== undefined && value !== '');
}
