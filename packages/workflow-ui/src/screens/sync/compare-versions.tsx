import { useQuery } from '@tanstack/react-query';
import { Dialog, SelectField } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { useAppMessages } from '../../parts/text/app-messages';
import { TextDiff } from '../../editor/view/lazy-text-diff';
import { syncDiffQuery, type SyncItem } from './sync-data';
import { useSyncMessages } from './sync-messages';
import styles from './sync.module.css';

export interface CompareVersionsProps {
  readonly item: SyncItem;
  readonly onClose: () => void;
}

/** The version here beside that of the repository, or beside the last common one. */
export function CompareVersions({ item: { itemId }, onClose }: CompareVersionsProps): ReactElement {
  const t = useSyncMessages();
  const app = useAppMessages();
  const query = useQuery(syncDiffQuery(itemId));
  const [other, setOther] = useState<'remote' | 'base'>('remote');
  const nothing = t('sync.compare.nothing');
  return (
    <Dialog
      title={t('sync.compare.title', { name: itemId })}
      isOpen
      isWide
      onClose={onClose}
      closeLabel={app('app.close')}
    >
      <div className={styles.comparison}>
        <SelectField
          label={t('sync.compare.with')}
          value={other}
          options={[
            { value: 'remote', label: t('sync.compare.remote') },
            { value: 'base', label: t('sync.compare.base') },
          ]}
          onChange={setOther}
        />
        <QueryPanel query={query}>
          {({ baseContent, remoteContent, localContent = nothing }) => (
            <TextDiff
              before={(other === 'base' ? baseContent : remoteContent) ?? nothing}
              beforeLabel={t(`sync.compare.${other}`)}
              after={localContent}
              afterLabel={t('sync.compare.here')}
            />
          )}
        </QueryPanel>
      </div>
    </Dialog>
  );
}
