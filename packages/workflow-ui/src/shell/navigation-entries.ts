import {
  Activity,
  BookOpen,
  Boxes,
  CalendarDays,
  CirclePlay,
  FileClock,
  FileSliders,
  GitBranch,
  House,
  KeyRound,
  ListOrdered,
  LockKeyhole,
  Network,
  ScrollText,
  Search,
  Server,
  Settings,
  ShieldCheck,
  Stamp,
  Users,
  Webhook,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import type messages from './messages.json';

export const navigationGroups = ['work', 'operate', 'manage'] as const;

export interface NavigationEntry {
  readonly to:
    | '/'
    | '/dags'
    | '/runs'
    | '/approvals'
    | '/calendar'
    | '/docs'
    | '/search'
    | '/queues'
    | '/workers'
    | '/status'
    | '/users'
    | '/roles'
    | '/workspaces'
    | '/api-keys'
    | '/secrets'
    | '/webhooks'
    | '/sync'
    | '/nodes'
    | '/audit'
    | '/events'
    | '/settings'
    | '/settings/base-config';
  readonly text: keyof typeof messages;
  readonly icon: LucideIcon;
  /** The key that opens the page after `g`. */
  readonly key: string;
  readonly group: (typeof navigationGroups)[number];
  /** The prefix of further addresses that belong to the page. */
  readonly alsoAt?: string;
  /** Whether it is in the bar of a phone; the others are behind its last button. */
  readonly isMain?: true;
}

/** The pages of the rail, of the palette and of the keys after `g`. */
export const navigationEntries: readonly NavigationEntry[] = [
  { to: '/', text: 'shell.home', icon: House, key: 'h', group: 'work', isMain: true },
  { to: '/dags', text: 'shell.dags', icon: Workflow, key: 'd', group: 'work', isMain: true },
  { to: '/runs', text: 'shell.runs', icon: CirclePlay, key: 'r', group: 'work', isMain: true, alsoAt: '/dag-runs/' },
  { to: '/approvals', text: 'shell.approvals', icon: Stamp, key: 'a', group: 'work', isMain: true },
  { to: '/calendar', text: 'shell.calendar', icon: CalendarDays, key: 'c', group: 'operate' },
  { to: '/search', text: 'shell.search', icon: Search, key: 's', group: 'work' },
  { to: '/docs', text: 'shell.docs', icon: BookOpen, key: 'o', group: 'work' },
  { to: '/queues', text: 'shell.queues', icon: ListOrdered, key: 'q', group: 'operate' },
  { to: '/workers', text: 'shell.workers', icon: Server, key: 'w', group: 'operate' },
  { to: '/events', text: 'shell.events', icon: ScrollText, key: 'e', group: 'operate' },
  { to: '/status', text: 'shell.status', icon: Activity, key: 't', group: 'operate' },
  { to: '/users', text: 'shell.users', icon: Users, key: 'u', group: 'manage' },
  { to: '/roles', text: 'shell.roles', icon: ShieldCheck, key: 'm', group: 'manage' },
  { to: '/workspaces', text: 'shell.workspaces', icon: Boxes, key: 'p', group: 'manage' },
  { to: '/api-keys', text: 'shell.apiKeys', icon: KeyRound, key: 'k', group: 'manage' },
  { to: '/secrets', text: 'shell.secrets', icon: LockKeyhole, key: 'x', group: 'manage' },
  { to: '/webhooks', text: 'shell.webhooks', icon: Webhook, key: 'j', group: 'manage' },
  { to: '/sync', text: 'shell.sync', icon: GitBranch, key: 'y', group: 'manage' },
  { to: '/nodes', text: 'shell.nodes', icon: Network, key: 'n', group: 'manage' },
  { to: '/audit', text: 'shell.audit', icon: FileClock, key: 'l', group: 'manage' },
  { to: '/settings/base-config', text: 'shell.baseConfig', icon: FileSliders, key: 'b', group: 'manage' },
  { to: '/settings', text: 'shell.settings', icon: Settings, key: ',', group: 'manage' },
];
