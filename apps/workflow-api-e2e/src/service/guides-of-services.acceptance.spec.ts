import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import {
  describeUnless,
  freePort,
  missingForDockerEngine,
  openEvents,
  runPage,
  spawnProcess,
  startDockerEngine,
  temporaryFolder,
  waitFor,
} from '@weir/test-kit';
import { adminName, password, setUpAdmin } from '../support/people';
import { program, startWeir } from '../support/weir-server';

const howTo = path.resolve(__dirname, '../../../../docs/how-to');
const nginx = '/usr/sbin/nginx';
const missingNginx = existsSync(nginx) ? undefined : 'nginx is not installed (tools/scripts/install-hosts.sh)';

/** The first block of a page in a language. */
function readBlock(page: string, language: string): string {
  const text = readFileSync(path.join(howTo, page), 'utf8');
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1] ?? '';
}

/** The status of a request that comes from an address of the loopback network, for a name. */
function askAs(client: string, host: string, port: number, address: string, body?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { host, 'content-type': 'application/json' };
    const call = request(
      { port, host: '127.0.0.1', localAddress: client, path: address, method, headers },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    call.once('error', reject).end(body && JSON.stringify(body));
  });
}

describeUnless(missingNginx, 'the configuration of nginx in the guide')('behind nginx, as the guide says', () => {
  it('serves its name, live events and the address of each client', async () => {
    const weir = await startWeir({
      env: { WEIR_ALLOWED_HOSTS: 'weir.example.com', WEIR_TRUSTED_PROXIES: '127.0.0.1' },
    });
    const token = await setUpAdmin(weir);
    const port = await freePort();
    const folder = temporaryFolder();
    mkdirSync(folder.file('logs'));
    const site = readBlock('put-behind-a-reverse-proxy.md', 'nginx')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      .replace(/^ *ssl_.*\n/gm, '')
      .replace('http://127.0.0.1:8080', new URL(weir.baseUrl).origin);
    const files = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder.file(name)};`,
    );
    writeFileSync(
      folder.file('nginx.conf'),
      `daemon off; pid ${folder.file('pid')}; events {} http { access_log off; ${files.join(' ')}\n${site}}`,
    );
    const proxy = await spawnProcess({
      command: nginx,
      args: ['-p', folder.path, '-e', folder.file('error.log'), '-c', folder.file('nginx.conf')],
    });
    await waitFor(() => askAs('127.0.0.1', 'weir.example.com', port, '/').catch(() => undefined), {
      what: 'nginx to answer',
    });

    const login = { username: adminName, password: 'a wrong one' };
    const statuses = [
      await askAs('127.0.0.2', 'weir.example.com', port, '/'),
      await askAs('127.0.0.2', 'other.example.com', port, '/api/v1/auth/me'),
      await askAs('127.0.0.2', 'weir.example.com', port, '/api/v1/auth/login', login),
      await askAs('127.0.0.3', 'weir.example.com', port, '/api/v1/auth/login', { username: adminName, password }),
    ];
    const { body } = await weir.request('GET', '/audit?category=auth', { token });
    const events = await openEvents(`http://127.0.0.1:${port}/api/v1/events/stream?topic=dagslist:`, {
      authorization: `Bearer ${token}`,
    });
    const first = await events.next();
    await events.close();
    await proxy.stop();
    await weir.dispose();
    await folder.remove();

    expect(statuses).toEqual([200, 403, 401, 200]);
    expect(JSON.stringify(body)).toContain('127.0.0.2');
    expect(JSON.stringify(body)).toContain('127.0.0.3');
    expect(first.event).toBe('control');
  });
});

it('the unit file of the guide starts a server that ends cleanly with SIGTERM', async () => {
  const unit = readBlock('run-as-a-service.md', 'ini');
  const read = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const home = temporaryFolder();
  const server = await spawnProcess({
    command: process.execPath,
    args: [program, ...read('ExecStart').split(' ').slice(1)],
    env: { HOME: home.path, WEIR_PORT: '0', [read('Environment').split('=')[0] ?? '']: home.file('weir') },
  });
  await server.waitForOutput('Weir is up');
  const { code } = await server.stop({ deadlineMs: Number(read('TimeoutStopSec')) * 1000 });

  expect(existsSync(home.file('weir', 'data'))).toBe(true);
  expect(code).toBe(0);
  await home.remove();
});

describeUnless(missingForDockerEngine(), 'the guide on containers')('with a container engine', () => {
  it('the commands of the guide on containers have the documented effect', async () => {
    const engine = await startDockerEngine();
    const { code, stdout, stderr } = await runPage({
      page: path.join(howTo, 'run-steps-in-containers.md'),
      programs: { weir: program },
      env: { DOCKER_HOST: engine.host },
      replace: { 'alpine:3': engine.image },
    });
    await engine.stop();

    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    for (const text of ['where | root:x:0:0', 'hello from the container', 'check | HELLO', 'step_2 | built'])
      expect(stdout).toContain(text);
  }, 600_000);
});
