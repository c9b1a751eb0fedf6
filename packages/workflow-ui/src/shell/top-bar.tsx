import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Button, IconButton, LiveDot as Dot, Mark, Menu, TopBar as Bar, topBarClasses } from '@weir/ui-kit';
import { useThemeEntries } from '@weir/ui-kit/app';
import { CircleUser, LogOut, Search } from 'lucide-react';
import type { ReactElement } from 'react';
import { sessionQuery, signOut } from '../api/session';
import { useShellMessages } from './shell-messages';
import { WorkspaceMenu } from './workspace-menu';
import { useLiveState } from '../api/live-query';

export function TopBar({ onOpenPalette }: { readonly onOpenPalette: () => void }): ReactElement {
  const t = useShellMessages();
  return (
    <Bar
      end={
        <>
          <LiveDot />
          <AccountMenu />
        </>
      }
    >
      <Link to="/" className={topBarClasses.brand}>
        <Mark />
        Weir
      </Link>
      <Button variant="plain" aria-keyshortcuts="Control+K" onPress={onOpenPalette}>
        <Search aria-hidden size={16} />
        <span className={topBarClasses.wide}>{t('shell.palette')}</span>
        <kbd aria-hidden>Ctrl K</kbd>
      </Button>
      <WorkspaceMenu />
    </Bar>
  );
}

function AccountMenu(): ReactElement {
  const t = useShellMessages();
  const { data: session } = useQuery(sessionQuery);
  const user = session?.state === 'signed-in' ? session.user : undefined;
  const themeEntries = useThemeEntries();
  const signOutEntry = {
    id: 'sign-out',
    label: t('shell.signOut'),
    icon: <LogOut aria-hidden size={16} />,
    onSelect: () => void signOut(),
  };
  return (
    <Menu
      label={t('shell.account')}
      trigger={
        user === undefined ? (
          <IconButton icon={<CircleUser aria-hidden size={18} />} label={t('shell.account')} />
        ) : (
          <Button variant="quiet">
            <CircleUser aria-hidden size={18} />
            <span className={topBarClasses.user}>{user.username}</span>
          </Button>
        )
      }
      entries={user === undefined ? themeEntries : [...themeEntries, signOutEntry]}
    />
  );
}

/** Shows whether the page follows the server. Renders nothing where no data on the page is live. */
function LiveDot(): ReactElement | null {
  const t = useShellMessages();
  const state = useLiveState();
  return state === 'idle' ? null : <Dot state={state} label={t(`shell.live.${state}`)} />;
}
