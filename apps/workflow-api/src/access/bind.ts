import type { BindEndpoint } from '@weir/service-kit';
import type { Principal } from './principal';

/** How every routes file of this application binds its endpoints. */
export type Bind = BindEndpoint<Principal>;
