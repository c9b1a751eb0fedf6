import { useQuery } from '@tanstack/react-query';
import { Button, EmptyState, IconButton, Menu, SelectField, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { Ellipsis, Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Age } from '../../parts/age';
import { ScreenHeader } from '../../parts/screen-header';
import { profilesQuery } from '../../parts/start/profiles-query';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { useProfilesMessages } from './profiles-messages';
import { EntryDialog, type EntryAction } from './profile-dialogs';
import {
  changeOf,
  contentQuery,
  setDefaultProfile,
  toOwner,
  type ProfileEntry,
  type ProfileOwner,
} from './profile-owner';
import styles from '../../parts/screen-body.module.css';
import own from './profiles.module.css';

export interface ProfileEntriesProps {
  /** Of a profile, or of defaults. */
  readonly name: string;
  readonly onBack: () => void;
}

/** The variables and secrets of one profile, or of defaults. */
export function ProfileEntries({ name, onBack }: ProfileEntriesProps): ReactElement {
  const t = useProfilesMessages();
  const owner = toOwner(name);
  const query = useQuery(contentQuery(owner));
  const refusal = useRefusal(...changeOf(owner));
  const [action, setAction] = useState<EntryAction | undefined>();
  const add = (kind: ProfileEntry['kind']) => (
    <Button disabledReason={refusal} onPress={() => setAction({ kind: 'set', entry: { kind } })}>
      <Plus aria-hidden size={16} />
      {t(kind === 'secret' ? 'profiles.setSecret' : 'profiles.setVariable')}
    </Button>
  );
  const title = useTitle(owner);
  return (
    <>
      <ScreenHeader title={title} note={owner.kind === 'profile' ? undefined : t('profiles.defaults.text')}>
        <Button onPress={onBack}>{t('profiles.back')}</Button>
        {add('variable')}
        {add('secret')}
      </ScreenHeader>
      <QueryPanel query={query}>
        {({ entries, defaultProfile }) => (
          <>
            {owner.kind === 'profile' ? null : (
              <DefaultField owner={owner} value={defaultProfile ?? ''} isDisabled={refusal !== undefined} />
            )}
            {entries.length === 0 ? (
              <EmptyState title={t('profiles.none')} />
            ) : (
              <EntryTable
                label={t('profiles.entriesOf', { name: title })}
                entries={entries}
                isReadOnly={refusal !== undefined}
                onAction={setAction}
              />
            )}
          </>
        )}
      </QueryPanel>
      {action === undefined ? null : <EntryDialog owner={owner} action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}

function useTitle(owner: ProfileOwner): string {
  const t = useProfilesMessages();
  if (owner.kind === 'profile') return owner.profileName;
  return owner.kind === 'global'
    ? t('profiles.defaults.title')
    : t('profiles.defaults.of', { workspace: owner.workspaceName });
}

interface DefaultFieldProps {
  readonly owner: ProfileOwner;
  readonly value: string;
  readonly isDisabled: boolean;
}

function DefaultField({ owner, value, isDisabled }: DefaultFieldProps): ReactElement {
  const t = useProfilesMessages();
  const { data } = useQuery(profilesQuery);
  const names = new Set([...(data?.profiles ?? []).map(({ name }) => name), ...(value === '' ? [] : [value])]);
  const { mutate } = useAction({
    run: (name: string) => setDefaultProfile(owner, name),
    done: () => t('profiles.saved', { name: t('profiles.defaults') }),
    changes: ['profiles'],
  });
  return (
    <div className={own.default}>
      <SelectField
        label={t('profiles.default')}
        isDisabled={isDisabled}
        value={value}
        options={[
          { value: '', label: t('profiles.default.none') },
          ...[...names].map((name) => ({ value: name, label: name })),
        ]}
        onChange={(name) => mutate(name)}
      />
    </div>
  );
}

interface EntryTableProps {
  readonly label: string;
  readonly entries: readonly ProfileEntry[];
  readonly isReadOnly: boolean;
  readonly onAction: (action: EntryAction) => void;
}

function EntryTable({ label, entries, isReadOnly, onAction }: EntryTableProps): ReactElement {
  const t = useProfilesMessages();
  const columns: readonly TableColumn<ProfileEntry>[] = [
    { id: 'key', name: t('profiles.key'), isRowHeader: true, render: ({ key }) => <code>{key}</code> },
    {
      id: 'value',
      name: t('profiles.value'),
      width: 'grow',
      render: ({ kind, value }) =>
        kind === 'secret' ? (
          <span className={styles.muted}>{`${t('profiles.secret')} · ${t('profiles.hidden')}`}</span>
        ) : (
          <code>{value}</code>
        ),
    },
    { id: 'changed', name: t('profiles.changed'), render: ({ updatedAt }) => <Age value={updatedAt} /> },
    {
      id: 'actions',
      isButtons: true,
      name: t('profiles.actionsColumn'),
      align: 'end',
      render: (entry) => {
        const name = t('profiles.actions', { name: entry.key });
        return (
          <Menu
            label={name}
            trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={name} />}
            entries={[
              {
                id: 'set',
                label: t('profiles.change'),
                isDisabled: isReadOnly,
                onSelect: () => onAction({ kind: 'set', entry }),
              },
              {
                id: 'remove',
                label: t('profiles.remove'),
                isDisabled: isReadOnly,
                onSelect: () => onAction({ kind: 'remove', key: entry.key }),
              },
            ]}
          />
        );
      },
    },
  ];
  return <Table label={label} items={entries} getId={({ key }) => key} columns={columns} />;
}
