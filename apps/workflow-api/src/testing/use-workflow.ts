import type { Answer } from './send';
import { createTestWorkflow, type TestWorkflow } from './workflow-api';

/** The server of the present case. */
export interface WorkflowInUse {
  readonly server: TestWorkflow;
  readonly asAdmin: string;
  /** Sends as an admin unless another credential is given. */
  readonly get: (path: `/${string}`, as?: string) => Promise<Answer>;
  readonly post: (path: `/${string}`, body?: unknown, as?: string) => Promise<Answer>;
}

/** Gives each case of the file a server of its own. */
export function useWorkflow(): WorkflowInUse {
  let server: TestWorkflow;
  let asAdmin: string;

  beforeEach(async () => {
    server = await createTestWorkflow();
    asAdmin = await server.createKey('admin');
  });
  afterEach(() => server.stop());

  return {
    get server() {
      return server;
    },
    get asAdmin() {
      return asAdmin;
    },
    get: (path, as = asAdmin) => server.api.send(`GET ${path}`, { as }),
    post: (path, body = {}, as = asAdmin) => server.api.send(`POST ${path}`, { as, body }),
  };
}
