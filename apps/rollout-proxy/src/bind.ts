import type { BindEndpoint } from '@weir/service-kit';
import type { Caller } from './features/access';
import type { Session } from './session';

/** How every routes file of this application binds its endpoints. */
export type Bind = BindEndpoint<Caller<Session>>;
