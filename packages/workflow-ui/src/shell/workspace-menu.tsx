import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button, classNames, Menu } from '@weir/ui-kit';
import { Boxes, Check, ChevronDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { permissionsQuery } from '../api/permissions';
import { useWorkspaceScope } from '../parts/workspace/use-workspace-scope';
import { noWorkspace } from '../parts/workspace/workspace-search';
import { useShellMessages } from './shell-messages';
import styles from './workspace-menu.module.css';

/** Limits all lists to one of the visible workspaces. Renders nothing where there is none. */
export function WorkspaceMenu(): ReactElement | null {
  const t = useShellMessages();
  const navigate = useNavigate();
  const { workspace: chosen } = useWorkspaceScope();
  const { data } = useQuery(permissionsQuery);
  const visible = (data?.workspaces ?? []).flatMap(({ workspace }) => workspace ?? []);
  // The address may name a workspace that was removed.
  const names = chosen === undefined || chosen === noWorkspace ? visible : [...new Set([...visible, chosen])];
  if (names.length === 0 && chosen === undefined) return null;
  const nameOf = (workspace: string | undefined): string => {
    if (workspace === undefined) return t('shell.workspace.all');
    return workspace === noWorkspace ? t('shell.workspace.none') : workspace;
  };
  const choose = (ws: string | undefined): void =>
    void navigate({
      to: '.',
      // Pages and rows of the old list do not exist in the new one. The key must be given, or the workspace would be kept.
      search: ({ page: _page, cursor: _cursor, peek: _peek, ...before }) => ({ ...before, ws }),
    });
  return (
    <Menu
      label={t('shell.workspace')}
      trigger={
        <Button variant="quiet" aria-label={t('shell.workspace.chosen', { name: nameOf(chosen) })}>
          <Boxes aria-hidden size={16} className={chosen === undefined ? '' : styles.wide} />
          <span className={classNames(styles.name, chosen === undefined && styles.wide)}>{nameOf(chosen)}</span>
          <ChevronDown aria-hidden size={14} />
        </Button>
      }
      entries={[undefined, ...names, noWorkspace].map((workspace) => ({
        id: workspace ?? 'all',
        label: nameOf(workspace),
        icon: <Check aria-hidden size={16} visibility={workspace === chosen ? 'visible' : 'hidden'} />,
        onSelect: () => choose(workspace),
      }))}
    />
  );
}
