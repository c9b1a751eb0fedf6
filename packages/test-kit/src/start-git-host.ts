import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of repositories over HTTP: `git http-backend` behind Node, with a user name and a password. */
export interface GitHost {
  readonly port: number;
  readonly url: (path: string) => string;
  /** The credentials that clients sent to sign in, in order. */
  readonly credentials: readonly string[];
  close(): Promise<void>;
}

export interface GitHostOptions {
  /** The folder of the repositories. */
  readonly root: string;
  readonly user: string;
  readonly password: string;
  /** Sends every request there. */
  readonly redirectTo?: string;
  /** The server never answers. */
  readonly isSilent?: boolean;
}

export async function startGitHost(options: GitHostOptions): Promise<GitHost> {
  const credentials: string[] = [];
  const server = createServer((request, response) => {
    const { authorization = '' } = request.headers;
    if (options.isSilent === true) return;
    if (options.redirectTo !== undefined) {
      response.writeHead(302, { location: `${options.redirectTo}${request.url ?? ''}` }).end();
      return;
    }
    const given = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
    if (given !== '') credentials.push(given);
    if (given === `${options.user}:${options.password}`) serve(request, response, options);
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="repositories"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (path) => `http://127.0.0.1:${port}/${path}`,
    credentials,
    close: () => close(server),
  };
}

/** Serves the request by the Common Gateway Interface. */
function serve(request: IncomingMessage, response: ServerResponse, { root, user }: GitHostOptions): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://host');
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      GIT_PROTOCOL: request.headers['git-protocol']?.toString(),
      REMOTE_USER: user,
      REMOTE_ADDR: '127.0.0.1',
    },
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  let head = Buffer.alloc(0);
  let isBody = false;
  child.stdout.on('data', (part: Buffer) => {
    if (isBody) {
      response.write(part);
      return;
    }
    head = Buffer.concat([head, part]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    isBody = true;
    const lines = head.subarray(0, end).toString().split('\r\n');
    const fields = lines.map((line) => line.split(/:\s*/, 2) as [string, string]);
    const status = Number(fields.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200);
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')));
    response.write(head.subarray(end + 4));
  });
  child.on('close', () => response.end());
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
