import { createRouter } from '@tanstack/react-router';
import { basePath } from '@weir/ui-kit/app';
import { approvalsRoute } from './screens/approvals/route';
import { calendarRoute } from './screens/calendar/route';
import { baseConfigRoute } from './screens/base-config/route';
import { catalogueRoute } from './screens/catalogue/route';
import { dagRoute } from './screens/dag/route';
import { dagListRoute } from './screens/dag-list/route';
import { homeRoute } from './screens/home/route';
import { runRoute } from './screens/run/route';
import { runLogRoute } from './screens/run-log/route';
import { runListRoute } from './screens/run-list/route';
import { apiKeysRoute } from './screens/api-keys/route';
import { auditRoute } from './screens/audit/route';
import { eventsRoute } from './screens/events/route';
import { nodesRoute } from './screens/nodes/route';
import { queuesRoute } from './screens/queues/route';
import { rolesRoute } from './screens/roles/route';
import { searchRoute } from './screens/search/route';
import { secretsRoute } from './screens/secrets/route';
import { settingsRoute } from './screens/settings/route';
import { statusRoute } from './screens/status/route';
import { syncRoute } from './screens/sync/route';
import { usersRoute } from './screens/users/route';
import { webhooksRoute } from './screens/webhooks/route';
import { workersRoute } from './screens/workers/route';
import { profilesRoute } from './screens/profiles/route';
import { businessCalendarsRoute } from './screens/business-calendars/route';
import { workspacesRoute } from './screens/workspaces/route';
import { docsRoute } from './screens/docs/route';
import { rootRoute } from './shell/root-route';

// Each screen has one line here.
const screens = [
  homeRoute,
  dagListRoute,
  dagRoute,
  runListRoute,
  runRoute,
  runLogRoute,
  approvalsRoute,
  calendarRoute,
  baseConfigRoute,
  apiKeysRoute,
  auditRoute,
  eventsRoute,
  queuesRoute,
  rolesRoute,
  searchRoute,
  secretsRoute,
  profilesRoute,
  settingsRoute,
  statusRoute,
  syncRoute,
  usersRoute,
  webhooksRoute,
  nodesRoute,
  workersRoute,
  workspacesRoute,
  businessCalendarsRoute,
  docsRoute,
  catalogueRoute,
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren(screens),
  basepath: basePath,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
