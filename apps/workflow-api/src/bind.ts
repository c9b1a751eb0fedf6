import type { BindEndpoint } from '@weir/service-kit';
import type { Principal } from './features/auth/principal';

/** How every routes file of this application binds its endpoints. */
export type Bind = BindEndpoint<Principal>;
