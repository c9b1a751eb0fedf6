import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import type { DagSearch } from '../../../parts/dag/dag-search';
import { RevisionDiff } from './revision-diff';
import { RevisionList } from './revision-list';
import { revisionsQuery } from './revisions-data';
import styles from './revisions.module.css';

export interface RevisionsTabProps {
  readonly fileName: string;
  readonly search: DagSearch;
  readonly onChange: (search: DagSearch) => void;
}

/** The changes of the file with their authors and times; every revision can be restored. */
export function RevisionsTab({ fileName, search, onChange }: RevisionsTabProps): ReactElement {
  const t = useDagMessages();
  const query = useQuery(revisionsQuery(fileName));
  return (
    <QueryPanel query={query}>
      {({ revisions }) => {
        const [newest] = revisions;
        if (newest === undefined)
          return <EmptyState title={t('dag.revisions.none')}>{t('dag.revisions.none.text')}</EmptyState>;
        const shown = revisions.find(({ revision }) => revision === search.revision) ?? newest;
        const select = ({ revision }: Schemas['DAGRevision']): void => onChange({ ...search, revision });
        const compare = (from: number | undefined): void => {
          const { from: _from, ...others } = search;
          onChange({ ...others, revision: shown.revision, ...(from === undefined ? {} : { from }) });
        };
        return (
          <div className={styles.tab}>
            <RevisionList revisions={revisions} shown={shown} onSelect={select} />
            <RevisionDiff
              fileName={fileName}
              revisions={revisions}
              shown={shown}
              newest={newest}
              from={search.from}
              onCompare={compare}
            />
          </div>
        );
      }}
    </QueryPanel>
  );
}
