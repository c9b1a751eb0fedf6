import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Button, EmptyState } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { ArrowLeft, BookOpen, Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { ScreenHeader } from '../../parts/screen-header';
import { useRefusal } from '../../parts/use-refusal';
import { NewDocDialog } from './doc-dialogs';
import { DocPage } from './doc-page';
import { DocTree } from './doc-tree';
import { docTreeQuery } from './docs-data';
import { useDocsMessages } from './docs-messages';
import styles from './docs.module.css';

/** Markdown documents beside the DAGs. The address has the shown one. */
export function DocsScreen(): ReactElement {
  const t = useDocsMessages();
  const navigate = useNavigate();
  const { doc } = useSearch({ from: '/docs' });
  const refusal = useRefusal('createDoc');
  const query = useQuery(docTreeQuery);
  const [isNew, setNew] = useState(false);
  const isEmpty = query.data?.tree?.length === 0 && doc === undefined;
  const add = (
    <Button variant="primary" disabledReason={refusal} onPress={() => setNew(true)}>
      <Plus aria-hidden size={16} />
      {t('docs.new')}
    </Button>
  );
  return (
    <div className={styles.screen}>
      <ScreenHeader title={t('docs.title')}>{isEmpty ? null : add}</ScreenHeader>
      <QueryPanel query={query}>
        {({ tree = [] }) =>
          isEmpty ? (
            <EmptyState title={t('docs.empty.title')} icon={<BookOpen aria-hidden size={32} />} action={add}>
              {t('docs.empty.text')}
            </EmptyState>
          ) : (
            <div className={styles.panes} data-chosen={doc !== undefined}>
              <DocTree nodes={tree} chosen={doc} />
              <div className={styles.page}>
                <Link to="/docs" className={styles.back}>
                  <ArrowLeft aria-hidden size={16} /> {t('docs.back')}
                </Link>
                {doc === undefined ? (
                  <EmptyState title={t('docs.choose.title')}>{t('docs.choose.text')}</EmptyState>
                ) : (
                  <DocPage key={doc} path={doc} />
                )}
              </div>
            </div>
          )
        }
      </QueryPanel>
      {isNew ? (
        <NewDocDialog
          onClose={() => setNew(false)}
          onCreated={(path) => void navigate({ to: '/docs', search: { doc: path, mode: 'edit' } })}
        />
      ) : null}
    </div>
  );
}
