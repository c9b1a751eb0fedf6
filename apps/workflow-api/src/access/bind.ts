import type { BindEndpoint } from '@weir/service-kit';
import type { Audited } from './audited-operation';
import type { Principal } from './principal';

/** How every routes file of this application binds its endpoints. */
export type Bind = BindEndpoint<Principal, Audited>;
