import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { CheckOwnPassword } from '../../access/check-own-password';
import type { Principal } from '../../access/principal';
import { hasNoPassword } from '../../access/auth-errors';
import type { User } from '../../access/user';
import type { UserStore } from '../users';
import { userNotFound } from '../users/user-errors';
import type { SecondFactorService } from './second-factor-service';

export interface SecondFactorRoutesPorts {
  readonly secondFactor: SecondFactorService;
  readonly users: Pick<UserStore, 'findById'>;
  readonly checkOwnPassword: CheckOwnPassword;
}

export function bindSecondFactorRoutes(bind: Bind, ports: SecondFactorRoutesPorts): void {
  const { secondFactor, users, checkOwnPassword } = ports;

  bind(workflowContract.getSecondFactor, ({ principal }) => secondFactor.get(principal.id));

  bind(workflowContract.beginSecondFactor, async ({ input, principal, audit, clientAddress }) => {
    const user = await checkOwnPassword(principal, clientAddress, input.body.password);
    const setup = await secondFactor.begin(user);
    await audit.record({ resourceId: user.id });
    return setup;
  });

  bind(workflowContract.confirmSecondFactor, async ({ input, principal, audit }) => {
    const { id } = requirePassword(principal);
    const recoveryCodes = await secondFactor.confirm(id, input.body.code);
    await audit.record({ resourceId: id });
    return { recoveryCodes: [...recoveryCodes] };
  });

  bind(workflowContract.disableSecondFactor, async ({ input, principal, audit, clientAddress }) => {
    const { id } = await checkOwnPassword(principal, clientAddress, input.body.password);
    await secondFactor.disable(id, input.body.code);
    await audit.record({ resourceId: id });
  });

  bind(workflowContract.deleteUserSecondFactor, async ({ input, audit }) => {
    const { userId } = input.params;
    if ((await users.findById(userId)) === undefined) throw userNotFound(userId);
    await secondFactor.remove(userId);
    await audit.record({ resourceId: userId });
  });
}

function requirePassword(principal: Principal): User {
  if (principal.kind !== 'user' || principal.user.passwordHash === undefined) throw hasNoPassword();
  return principal.user;
}
