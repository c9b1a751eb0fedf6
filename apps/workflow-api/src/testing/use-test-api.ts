import type { User } from '../access/user';
import { createTestApi, type TestApi } from './test-api';

/** The application of the present case, with an admin who has signed in. */
export interface TestApiInUse {
  readonly api: TestApi;
  readonly admin: User;
  readonly asAdmin: string;
}

/** Gives each case of the file an application of its own. */
export function useTestApi(): TestApiInUse {
  let current: TestApiInUse;

  beforeEach(async () => {
    const api = await createTestApi();
    const admin = await api.addUser({ id: 'admin-1', username: 'root' });
    current = { api, admin, asAdmin: await api.signIn(admin) };
  });
  afterEach(() => current.api.stop());

  return {
    get api() {
      return current.api;
    },
    get admin() {
      return current.admin;
    },
    get asAdmin() {
      return current.asAdmin;
    },
  };
}
