import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Button, EmptyState, IconButton, Menu, StatusName, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, unwrap } from '@weir/ui-kit/app';
import { Ellipsis, Layers, Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { workspacesQuery } from '../../parts/access/workspaces-query';
import { Age } from '../../parts/age';
import { ScreenHeader } from '../../parts/screen-header';
import { profilesQuery } from '../../parts/start/profiles-query';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { useProfilesMessages } from './profiles-messages';
import { DeleteProfile, EditProfile } from './profile-dialogs';
import { ProfileEntries } from './profile-entries';
import styles from '../../parts/screen-body.module.css';

type Profile = Schemas['RuntimeProfileResponse'];
type Action =
  { readonly kind: 'edit'; readonly profile?: Profile } | { readonly kind: 'delete'; readonly name: string };

/** The profiles that runs can be started with, or the variables and secrets of one of them. */
export function ProfilesScreen(): ReactElement {
  const navigate = useNavigate();
  const { profile } = useSearch({ from: '/profiles' });
  const open = (name: string | undefined): void =>
    void navigate({ to: '/profiles', search: name === undefined ? {} : { profile: name } });
  if (profile !== undefined) return <ProfileEntries key={profile} name={profile} onBack={() => open(undefined)} />;
  return <ProfileList onOpen={open} />;
}

interface ListProps {
  readonly onOpen: (name: string) => void;
}

function ProfileList({ onOpen }: ListProps): ReactElement {
  const t = useProfilesMessages();
  const refusal = useRefusal('createRuntimeProfile');
  const query = useQuery(profilesQuery);
  const [action, setAction] = useState<Action | undefined>();
  const close = (): void => setAction(undefined);
  const count = query.data?.profiles.length;
  const add = (
    <Button variant="primary" disabledReason={refusal} onPress={() => setAction({ kind: 'edit' })}>
      <Plus aria-hidden size={16} />
      {t('profiles.add')}
    </Button>
  );
  return (
    <>
      <ScreenHeader title={t('profiles.title')} note={count === undefined ? undefined : t('profiles.count', { count })}>
        <DefaultsMenu onOpen={onOpen} />
        {count === 0 ? null : add}
      </ScreenHeader>
      <QueryPanel query={query}>
        {({ profiles }) =>
          profiles.length === 0 ? (
            <EmptyState title={t('profiles.empty.title')} icon={<Layers aria-hidden size={32} />} action={add}>
              {t('profiles.empty.text')}
            </EmptyState>
          ) : (
            <ProfileTable {...{ profiles, onOpen }} isReadOnly={refusal !== undefined} onAction={setAction} />
          )
        }
      </QueryPanel>
      {action?.kind === 'edit' ? <EditProfile profile={action.profile} onClose={close} /> : null}
      {action?.kind === 'delete' ? <DeleteProfile name={action.name} onClose={close} /> : null}
    </>
  );
}

function DefaultsMenu({ onOpen }: ListProps): ReactElement {
  const t = useProfilesMessages();
  const { data } = useQuery(workspacesQuery);
  const global = useRefusal('getGlobalRuntimeProfileDefaults');
  return (
    <Menu
      label={t('profiles.defaults')}
      trigger={<Button>{t('profiles.defaults')}</Button>}
      entries={[
        {
          id: '_global',
          label: t('profiles.defaults.title'),
          isDisabled: global !== undefined,
          onSelect: () => onOpen('_global'),
        },
        ...(data?.workspaces ?? []).map(({ name: workspace }) => ({
          id: workspace,
          label: t('profiles.defaults.of', { workspace }),
          onSelect: () => onOpen(`_workspaces/${workspace}`),
        })),
      ]}
    />
  );
}

interface ProfileTableProps extends ListProps {
  readonly profiles: readonly Profile[];
  readonly isReadOnly: boolean;
  readonly onAction: (action: Action) => void;
}

function ProfileTable({ profiles, isReadOnly, onOpen, onAction }: ProfileTableProps): ReactElement {
  const t = useProfilesMessages();
  const columns: readonly TableColumn<Profile>[] = [
    {
      id: 'name',
      name: t('profiles.name'),
      isRowHeader: true,
      width: 'grow',
      render: ({ name, description = '' }) => (
        <span>
          <Link to="/profiles" search={{ profile: name }}>
            {name}
          </Link>{' '}
          <span className={styles.muted}>{description}</span>
        </span>
      ),
    },
    {
      id: 'state',
      name: t('profiles.state'),
      render: ({ status }) =>
        status === 'disabled' ? (
          <StatusName kind="aborted" name={t('profiles.disabled')} />
        ) : (
          <StatusName kind="succeeded" name={t('profiles.active')} />
        ),
    },
    {
      id: 'protected',
      name: t('profiles.protected'),
      render: (profile) => (profile.protected ? t('profiles.protected') : <span className={styles.muted}>–</span>),
    },
    { id: 'entries', name: t('profiles.entries'), align: 'end', render: ({ entries }) => entries.length },
    { id: 'changed', name: t('profiles.changed'), render: ({ updatedAt }) => <Age value={updatedAt} /> },
    {
      id: 'actions',
      isButtons: true,
      name: t('profiles.actionsColumn'),
      align: 'end',
      render: (profile) => <ProfileMenu {...{ profile, isReadOnly, onOpen, onAction }} />,
    },
  ];
  return <Table label={t('profiles.title')} items={profiles} getId={({ id }) => id} columns={columns} />;
}

interface ProfileMenuProps extends Omit<ProfileTableProps, 'profiles'> {
  readonly profile: Profile;
}

function ProfileMenu({ profile, isReadOnly, onOpen, onAction }: ProfileMenuProps): ReactElement {
  const t = useProfilesMessages();
  const { name, status } = profile;
  const isActive = status === 'active';
  const label = t('profiles.actions', { name });
  const toggle = useAction({
    run: () =>
      unwrap(
        api.PATCH('/profiles/{profileName}', {
          params: { path: { profileName: name } },
          body: { status: isActive ? 'disabled' : 'active' },
        }),
      ),
    done: () => t('profiles.saved', { name }),
    changes: ['profiles'],
  });
  const change = { isDisabled: isReadOnly };
  return (
    <Menu
      label={label}
      trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={label} />}
      entries={[
        { id: 'open', label: t('profiles.open'), onSelect: () => onOpen(name) },
        { id: 'edit', label: t('profiles.edit'), ...change, onSelect: () => onAction({ kind: 'edit', profile }) },
        {
          id: 'toggle',
          label: t(isActive ? 'profiles.disable' : 'profiles.enable'),
          ...change,
          onSelect: () => toggle.mutate(),
        },
        { id: 'delete', label: t('profiles.delete'), ...change, onSelect: () => onAction({ kind: 'delete', name }) },
      ]}
    />
  );
}
