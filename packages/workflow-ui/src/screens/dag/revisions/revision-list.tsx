import { classNames } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import styles from './revisions.module.css';

type Revision = Schemas['DAGRevision'];

export interface RevisionListProps {
  readonly revisions: readonly Revision[];
  readonly shown: Revision;
  readonly onSelect: (revision: Revision) => void;
}

/** The revisions, newest first. */
export function RevisionList({ revisions, shown, onSelect }: RevisionListProps): ReactElement {
  const t = useDagMessages();
  return (
    <ul aria-label={t('dag.tab.revisions')} className={styles.list}>
      {revisions.map((each) => {
        const isShown = each.revision === shown.revision;
        return (
          <li key={each.revision}>
            <button
              type="button"
              aria-current={isShown}
              className={classNames(styles.revision, isShown && styles.shown)}
              onClick={() => onSelect(each)}
            >
              <span className={styles.line}>
                <strong>#{each.revision}</strong>
                {t(`dag.revisions.${each.change}`)}
              </span>
              <span className={styles.muted}>
                {each.author ?? t('dag.revisions.outside')} · <Time value={each.createdAt} />
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
