import type { BindEndpoint } from '@weir/service-kit';
import type { Caller } from './features/access';
// Not from the feature's front door: its routes file binds with this type.
import type { Session } from './features/sessions/session';

/** How every routes file of this application binds its endpoints. */
export type Bind = BindEndpoint<Caller<Session>>;
