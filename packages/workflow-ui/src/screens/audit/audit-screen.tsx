import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button, EmptyState } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { Download, ShieldCheck } from 'lucide-react';
import { useCallback, type ReactElement } from 'react';
import { PeekLayout } from '../../parts/peek/peek-layout';
import { SavedViews } from '../../parts/saved-views/saved-views';
import { ScreenHeader } from '../../parts/screen-header';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { auditQuery, entriesPerPage, saveAuditLog, verifyAuditLog } from './audit-data';
import { AuditFilterFields } from './audit-filter-fields';
import { useAuditMessages } from './audit-messages';
import { AuditPeek } from './audit-peek';
import { AuditTable } from './audit-table';
import { ChainState } from './chain-state';
import type { AuditSearch } from './search';
import styles from '../../parts/screen-body.module.css';

/** The changes and their authors, newest first. The filters, the page and the shown entry are in the address. */
export function AuditScreen(): ReactElement {
  const t = useAuditMessages();
  const navigate = useNavigate();
  const search = useSearch({ from: '/audit' });
  const show = useCallback(
    (next: AuditSearch, replace = false) => void navigate({ to: '/audit', search: next, replace }),
    [navigate],
  );
  const { entry, ...listed } = search;
  const { page: _page, ...filters } = listed;
  const query = useQuery(auditQuery(listed));
  const verification = useAction({ run: verifyAuditLog, changes: [] });
  const total = query.data?.total;
  const shown = query.data?.entries.find(({ id }) => id === entry);
  return (
    <>
      <ScreenHeader title={t('audit.title')} note={total === undefined ? undefined : t('audit.count', { total })}>
        <AuditFilterFields filters={filters} onChange={show} />
        <SavedViews list="/audit" />
        <AuditActions onVerify={() => verification.mutate()} isVerifying={verification.isPending} />
      </ScreenHeader>
      {verification.data === undefined ? null : <ChainState verification={verification.data} />}
      <QueryPanel query={query}>
        {({ entries, total: all }) =>
          entries.length === 0 ? (
            <NoEntries isFiltered={Object.keys(listed).length > 0} onClear={() => show({})} />
          ) : (
            <PeekLayout
              peek={shown === undefined ? null : <AuditPeek entry={shown} onClose={() => show(listed, true)} />}
            >
              <AuditTable entries={entries} selected={entry} onSelect={(id) => show({ ...listed, entry: id }, true)} />
              <Pager
                page={listed.page ?? 1}
                total={all}
                onPage={(page) => show(page === 1 ? filters : { ...filters, page })}
              />
            </PeekLayout>
          )
        }
      </QueryPanel>
    </>
  );
}

interface AuditActionsProps {
  readonly onVerify: () => void;
  readonly isVerifying: boolean;
}

function AuditActions({ onVerify, isVerifying }: AuditActionsProps): ReactElement {
  const t = useAuditMessages();
  const refusal = useRefusal('verifyAuditLog');
  const saving = useAction({ run: saveAuditLog, changes: [] });
  return (
    <>
      <Button disabledReason={refusal} isPending={isVerifying} onPress={onVerify}>
        <ShieldCheck aria-hidden size={16} />
        {t('audit.verify')}
      </Button>
      <Button disabledReason={refusal} isPending={saving.isPending} onPress={() => saving.mutate()}>
        <Download aria-hidden size={16} />
        {t('audit.export')}
      </Button>
    </>
  );
}

interface PagerProps {
  readonly page: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

function Pager({ page, total, onPage }: PagerProps): ReactElement {
  const t = useAuditMessages();
  return (
    <div className={styles.pager}>
      {page > 1 ? <Button onPress={() => onPage(page - 1)}>{t('audit.newer')}</Button> : null}
      {page * entriesPerPage < total ? <Button onPress={() => onPage(page + 1)}>{t('audit.older')}</Button> : null}
    </div>
  );
}

interface NoEntriesProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function NoEntries({ isFiltered, onClear }: NoEntriesProps): ReactElement {
  const t = useAuditMessages();
  if (!isFiltered) return <EmptyState title={t('audit.empty.title')}>{t('audit.empty.text')}</EmptyState>;
  return (
    <EmptyState title={t('audit.noMatch.title')} action={<Button onPress={onClear}>{t('audit.noMatch.clear')}</Button>}>
      {t('audit.noMatch.text')}
    </EmptyState>
  );
}
