import { Link } from '@tanstack/react-router';
import { Button, IconButton, Menu, StatusName, Table, type TableColumn } from '@weir/ui-kit';
import { Ellipsis } from 'lucide-react';
import { Fragment, type ReactElement } from 'react';
import { api } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { Age } from '../../parts/age';
import { useAction } from '../../parts/use-action';
import type { SecretAction } from './secret-dialogs';
import type { Secret } from './secrets-data';
import { useSecretsMessages } from './secrets-messages';
import styles from '../../parts/screen-body.module.css';

export interface SecretTableProps {
  readonly secrets: readonly Secret[];
  readonly onAction: (action: SecretAction) => void;
}

export function SecretTable({ secrets, onAction }: SecretTableProps): ReactElement {
  const t = useSecretsMessages();
  const none = (text: string) => <span className={styles.muted}>{text}</span>;
  const columns: readonly TableColumn<Secret>[] = [
    {
      id: 'ref',
      name: t('secrets.ref'),
      isRowHeader: true,
      width: 'grow',
      render: ({ ref, description = '' }) => (
        <span title={description}>
          <strong>{ref}</strong> {none(description)}
        </span>
      ),
    },
    { id: 'state', name: t('secrets.state'), render: (secret) => <SecretState secret={secret} /> },
    {
      id: 'version',
      name: t('secrets.version'),
      render: ({ ref, currentVersion }) =>
        currentVersion === 0 ? (
          none('–')
        ) : (
          <span title={t('secrets.version.hint', { ref: `${ref}@${currentVersion}` })}>{currentVersion}</span>
        ),
    },
    { id: 'dags', name: t('secrets.dags'), render: (secret) => <SecretDags secret={secret} onAction={onAction} /> },
    {
      id: 'written',
      name: t('secrets.writtenAt'),
      render: ({ lastRotatedAt }) =>
        lastRotatedAt === undefined ? none(t('secrets.never')) : <Age value={lastRotatedAt} />,
    },
    {
      id: 'used',
      name: t('secrets.used'),
      render: ({ lastResolvedAt }) =>
        lastResolvedAt === undefined ? none(t('secrets.never')) : <Age value={lastResolvedAt} />,
    },
    {
      id: 'actions',
      isButtons: true,
      name: t('secrets.actionsColumn'),
      align: 'end',
      render: (secret) => <SecretMenu secret={secret} onAction={onAction} />,
    },
  ];
  return <Table label={t('secrets.title')} items={secrets} getId={({ id }) => id} columns={columns} />;
}

const shownDags = 2;

/** The first DAGs that take the secret, and a way to all of them. */
function SecretDags({ secret, onAction }: SecretMenuProps): ReactElement {
  const t = useSecretsMessages();
  const { dags, dagCount } = secret;
  if (dagCount === 0) return <span className={styles.muted}>{t('secrets.noDags')}</span>;
  return (
    <span>
      {dags.slice(0, shownDags).map(({ fileName, name, variables }, place) => (
        <Fragment key={fileName}>
          {place === 0 ? null : ', '}
          <Link
            to="/dags/$fileName"
            params={{ fileName }}
            title={variables.map((variable) => variable.name).join(', ')}
          >
            {name}
          </Link>
        </Fragment>
      ))}
      {dagCount <= shownDags ? null : (
        <Button variant="quiet" onPress={() => onAction({ kind: 'dags', secret })}>
          {t('secrets.dags.more', { count: dagCount - shownDags })}
        </Button>
      )}
    </span>
  );
}

function SecretState({ secret: { status, hasValue } }: { readonly secret: Secret }): ReactElement {
  const t = useSecretsMessages();
  if (status === 'disabled') return <StatusName kind="aborted" name={t('secrets.disabled')} />;
  return hasValue ? (
    <StatusName kind="succeeded" name={t('secrets.usable')} />
  ) : (
    <StatusName kind="failed" name={t('secrets.noValue')} />
  );
}

interface SecretMenuProps {
  readonly secret: Secret;
  readonly onAction: (action: SecretAction) => void;
}

function SecretMenu({ secret, onAction }: SecretMenuProps): ReactElement {
  const t = useSecretsMessages();
  const { id, ref: name, status } = secret;
  const label = t('secrets.actions', { name });
  const params = { path: { secretId: id } };
  const isActive = status === 'active';
  const toggle = useAction({
    run: () =>
      unwrap(
        isActive
          ? api.POST('/secrets/{secretId}/disable', { params })
          : api.POST('/secrets/{secretId}/enable', { params }),
      ),
    done: () => t(isActive ? 'secrets.nowDisabled' : 'secrets.nowEnabled', { name }),
    changes: ['secrets'],
  });
  return (
    <Menu
      label={label}
      trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={label} />}
      entries={[
        { id: 'dags', label: t('secrets.dags'), onSelect: () => onAction({ kind: 'dags', secret }) },
        { id: 'write', label: t('secrets.write'), onSelect: () => onAction({ kind: 'write', secret }) },
        { id: 'describe', label: t('secrets.describe'), onSelect: () => onAction({ kind: 'describe', secret }) },
        {
          id: 'toggle',
          label: t(isActive ? 'secrets.disable' : 'secrets.enable'),
          onSelect: () => toggle.mutate(),
        },
        { id: 'delete', label: t('secrets.delete'), onSelect: () => onAction({ kind: 'delete', secret }) },
      ]}
    />
  );
}
