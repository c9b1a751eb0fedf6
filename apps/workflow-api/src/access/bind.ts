import type { BindEndpoint } from '@weir/service-kit';
import type { Audited } from './audited-operation';
import type { Principal } from './principal';

/** Every routes file of this application binds its endpoints with this type. */
export type Bind = BindEndpoint<Principal, Audited>;
