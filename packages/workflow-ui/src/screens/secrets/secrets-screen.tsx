import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Button, EmptyState, SelectField } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { LockKeyhole, Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { workspacesQuery } from '../../parts/access/workspaces-query';
import { ScreenHeader } from '../../parts/screen-header';
import { useRefusal } from '../../parts/use-refusal';
import type { SecretsSearch } from './search';
import { SecretDialog, type SecretAction } from './secret-dialogs';
import { SecretTable } from './secret-table';
import { secretsPerPage, secretsQuery } from './secrets-data';
import { useSecretsMessages } from './secrets-messages';
import styles from '../../parts/screen-body.module.css';

/** The stored secrets of a workspace, or the shared ones. Their values can be written, but not read. */
export function SecretsScreen(): ReactElement {
  const t = useSecretsMessages();
  const navigate = useNavigate();
  const search = useSearch({ from: '/secrets' });
  const show = (next: SecretsSearch): void => void navigate({ to: '/secrets', search: next });
  const { workspace } = search;
  const refusal = useRefusal('createSecret', workspace);
  const query = useQuery(secretsQuery(search));
  const [action, setAction] = useState<SecretAction | undefined>();
  const total = query.error === null ? query.data?.total : undefined;
  const add = (
    <Button variant="primary" disabledReason={refusal} onPress={() => setAction({ kind: 'add', workspace })}>
      <Plus aria-hidden size={16} />
      {t('secrets.add')}
    </Button>
  );
  return (
    <>
      <ScreenHeader title={t('secrets.title')} note={total === undefined ? undefined : t('secrets.count', { total })}>
        <WorkspaceField
          workspace={workspace}
          onChange={(chosen) => show(chosen === undefined ? {} : { workspace: chosen })}
        />
        <Link to="/profiles">{t('secrets.profiles')}</Link>
        {total === 0 ? null : add}
      </ScreenHeader>
      <QueryPanel query={query}>
        {({ secrets, total: all }) =>
          all === 0 ? (
            <EmptyState title={t('secrets.empty.title')} icon={<LockKeyhole aria-hidden size={32} />} action={add}>
              {t('secrets.empty.text')}
            </EmptyState>
          ) : (
            <>
              <SecretTable secrets={secrets} onAction={setAction} />
              <Pager search={search} total={all} onChange={show} />
            </>
          )
        }
      </QueryPanel>
      {action === undefined ? null : <SecretDialog action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}

interface WorkspaceFieldProps {
  readonly workspace: string | undefined;
  readonly onChange: (workspace: string | undefined) => void;
}

function WorkspaceField({ workspace, onChange }: WorkspaceFieldProps): ReactElement {
  const t = useSecretsMessages();
  const { data } = useQuery(workspacesQuery);
  const names = new Set([
    ...(data?.workspaces ?? []).map(({ name }) => name),
    ...(workspace === undefined ? [] : [workspace]),
  ]);
  return (
    <SelectField
      label={t('secrets.workspace')}
      isLabelHidden
      value={workspace ?? ''}
      options={[
        { value: '', label: t('secrets.shared') },
        ...[...names].map((value) => ({ value, label: t('secrets.ofWorkspace', { workspace: value }) })),
      ]}
      onChange={(value) => onChange(value === '' ? undefined : value)}
    />
  );
}

interface PagerProps {
  readonly search: SecretsSearch;
  readonly total: number;
  readonly onChange: (search: SecretsSearch) => void;
}

function Pager({ search, total, onChange }: PagerProps): ReactElement | null {
  const t = useSecretsMessages();
  const { page = 1, ...rest } = search;
  if (total <= secretsPerPage) return null;
  const go = (next: number): void => onChange(next === 1 ? rest : { ...rest, page: next });
  return (
    <div className={styles.pager}>
      {page > 1 ? <Button onPress={() => go(page - 1)}>{t('secrets.previous')}</Button> : null}
      {page * secretsPerPage < total ? <Button onPress={() => go(page + 1)}>{t('secrets.next')}</Button> : null}
    </div>
  );
}
