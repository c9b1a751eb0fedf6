import type { Bind } from '../../access/bind';
import { bindUserRoutes } from './user-routes';
import { createUserService, type UserServiceOptions } from './user-service';

export interface Users {
  bindRoutes(bind: Bind): void;
}

export function createUsers(ports: UserServiceOptions): Users {
  const service = createUserService(ports);
  return { bindRoutes: (bind) => bindUserRoutes(bind, service) };
}
