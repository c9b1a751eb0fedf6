import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentUser, presentUserResponse } from './user-presenter';
import type { UserService } from './user-service';

export function bindUserRoutes(bind: Bind, users: UserService): void {
  bind(workflowContract.listUsers, async () => ({ users: (await users.list()).map(presentUser) }));

  bind(workflowContract.createUser, async ({ input }) => presentUserResponse(await users.create(input.body)));

  bind(workflowContract.getUser, async ({ input }) => presentUserResponse(await users.get(input.params.userId)));

  bind(workflowContract.updateUser, async ({ input, principal }) =>
    presentUserResponse(await users.update(input.params.userId, input.body, principal)),
  );

  bind(workflowContract.deleteUser, async ({ input, principal }) => {
    await users.remove(input.params.userId, principal);
    return undefined;
  });

  bind(workflowContract.deleteUserSessions, ({ input }) => users.endSessions(input.params.userId));

  bind(workflowContract.resetUserPassword, async ({ input }) => {
    await users.resetPassword(input.params.userId, input.body.newPassword);
    return { message: 'The password was set.' };
  });
}
