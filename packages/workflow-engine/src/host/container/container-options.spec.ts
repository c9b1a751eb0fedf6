import { containerOptions } from './container-options';
import type { ContainerSettings } from './container-settings';

const host = { cwd: '/srv', env: { HOME: '/home/ada' }, containerEnv: { A: '1' }, labels: { 'weir.run': 'r' } };
const buildOptions = (settings: ContainerSettings) =>
  containerOptions({ ...settings, image: settings.image ?? 'app' }, host, {});

describe('containerOptions', () => {
  it.each([
    ['env after that of the step', { env: ['A=2', 'B=3'] }, { Env: ['A=1', 'A=2', 'B=3'] }],
    ['who and where', { user: '1000:5', working_dir: '/src' }, { User: '1000:5', WorkingDir: '/src' }],
    ['name and platform', { name: 'x', platform: 'linux/arm64' }, { name: 'x', platform: 'linux/arm64' }],
    [
      'a check of health by a line',
      { healthcheck: { test: ['true'], interval: '1m', timeout: 2, retries: 3 } },
      { Healthcheck: { Test: ['CMD-SHELL', 'true'], Interval: 60e9, Timeout: 2e9, StartPeriod: 0, Retries: 3 } },
    ],
    ['by words', { healthcheck: { test: ['curl', 'x'] } }, { Healthcheck: { Test: ['CMD', 'curl', 'x'] } }],
    ['raw settings of the container', { container: { Hostname: 'h', User: 'raw' } }, { Hostname: 'h', User: 'raw' }],
    [
      'our labels over all',
      { container: { Labels: { 'weir.run': 'x', b: 'c' } } },
      { Labels: { 'weir.run': 'r', b: 'c' } },
    ],
    ["the engine's network", { network: { EndpointsConfig: {} } }, { NetworkingConfig: { EndpointsConfig: {} } }],
  ] as const)('has %s', (_, settings, options) => {
    expect(buildOptions(settings)).toMatchObject(options);
  });

  it.each([
    [
      'volumes',
      { volumes: ['./a:/a:ro', '~/b:/b', '/c:/c', 'kept:/d'] },
      { Binds: ['/srv/a:/a:ro', '/home/ada/b:/b', '/c:/c', 'kept:/d'] },
    ],
    [
      'ports',
      { ports: ['80', '8080:81', '127.0.0.1:53:53/udp', 'localhost::82', '[::1]:9000-9001:90-91'] },
      {
        PortBindings: {
          '80/tcp': [{ HostIp: '', HostPort: '' }],
          '81/tcp': [{ HostIp: '', HostPort: '8080' }],
          '53/udp': [{ HostIp: '127.0.0.1', HostPort: '53' }],
          '82/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }],
          '90/tcp': [{ HostIp: '::1', HostPort: '9000' }],
          '91/tcp': [{ HostIp: '::1', HostPort: '9001' }],
        },
      },
    ],
    ['a network', { network: 'host' }, { NetworkMode: 'host' }],
    [
      'a restart policy',
      { restart_policy: 'on-failure:3' },
      { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } },
    ],
    [
      'raw settings',
      { host: { Memory: 5 }, container: { HostConfig: { Memory: 4, NanoCpus: 1 } } },
      { Memory: 5, NanoCpus: 1 },
    ],
  ] as const)('has the host settings for %s', (_, settings, host) => {
    expect(buildOptions(settings).HostConfig).toMatchObject(host);
  });

  it('refuses ranges of two lengths', () => {
    expect(() => buildOptions({ ports: ['80-81:80-82'] })).toThrow('ranges of two lengths');
  });
});
