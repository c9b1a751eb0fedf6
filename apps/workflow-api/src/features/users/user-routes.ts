import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentUser, presentUserResponse } from './user-presenter';
import type { UserService } from './user-service';

export function bindUserRoutes(bind: Bind, users: UserService): void {
  bind(workflowContract.listUsers, async () => ({ users: (await users.list()).map(presentUser) }));

  bind(workflowContract.createUser, async ({ input, audit }) =>
    presentUserResponse(await users.create(input.body, audit)),
  );

  bind(workflowContract.getUser, async ({ input }) => presentUserResponse(await users.get(input.params.userId)));

  bind(workflowContract.updateUser, async ({ input, principal, audit }) =>
    presentUserResponse(await users.update(input.params.userId, input.body, { principal, audit })),
  );

  bind(workflowContract.deleteUser, async ({ input, principal, audit }) => {
    await users.remove(input.params.userId, { principal, audit });
    return undefined;
  });

  bind(workflowContract.deleteUserSessions, ({ input, audit }) => users.endSessions(input.params.userId, audit));

  bind(workflowContract.resetUserPassword, async ({ input, audit }) => {
    await users.resetPassword(input.params.userId, input.body.newPassword, audit);
    return { message: 'The password was set.' };
  });
}
