import { Button } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { useDagListMessages } from './dag-list-messages';
import styles from './dag-list.module.css';

export interface PagerProps {
  readonly pagination: Schemas['Pagination'];
  readonly onChange: (page: number) => void;
}

/** Nothing where there is a single page. */
export function Pager({ pagination, onChange }: PagerProps): ReactElement | null {
  const t = useDagListMessages();
  const { currentPage, totalPages } = pagination;
  if (totalPages <= 1) return null;
  return (
    <nav aria-label={t('dags.page', { page: currentPage, pages: totalPages })} className={styles.pager}>
      <Button isDisabled={currentPage <= 1} onPress={() => onChange(currentPage - 1)}>
        {t('dags.previous')}
      </Button>
      <span>{t('dags.page', { page: currentPage, pages: totalPages })}</span>
      <Button isDisabled={currentPage >= totalPages} onPress={() => onChange(currentPage + 1)}>
        {t('dags.next')}
      </Button>
    </nav>
  );
}
