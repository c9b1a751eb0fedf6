import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { actionFailed } from '../../model/steps/action-errors';
import { within } from '../concurrency/end-or-stop';
import { engineFailed } from './engine-errors';

type Environment = Readonly<Record<string, string>>;

const usualSocket = '/var/run/docker.sock';
const usualFolder = '.docker';
const answerWithinMs = 10_000;

/** Connects to the engine of `DOCKER_HOST`, or else of the default socket, and checks that it responds. */
export async function connectEngine(env: Environment): Promise<Docker> {
  const address = await readAddress(env);
  // Loaded on first use: the library is large, and most servers never use an engine.
  const { default: Dockerode } = await import('dockerode');
  const docker = new Dockerode(address);
  const answer = docker.ping().then(
    () => true,
    (error: unknown) => Promise.reject(engineFailed('reach', error)),
  );
  if ((await within(answer, answerWithinMs)) === undefined) throw engineFailed('reach');
  return docker;
}

/** Every field is set, because the library takes missing ones from the environment of this server. */
async function readAddress(env: Environment): Promise<Docker.DockerOptions> {
  const { DOCKER_HOST: text = '' } = env;
  const none = {
    host: undefined,
    port: undefined,
    ca: undefined,
    cert: undefined,
    key: undefined,
    protocol: 'http',
  } as const;
  if (text === '') return { ...none, socketPath: usualSocket };
  if (text.startsWith('unix://')) return { ...none, socketPath: text.slice('unix://'.length) };
  const url = URL.parse(text.includes('//') ? text : `tcp://${text}`);
  if (url === null || !['tcp:', 'http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw actionFailed('DOCKER_HOST must be an address such as unix:///var/run/docker.sock or tcp://127.0.0.1:2375.');
  }
  const { DOCKER_TLS_VERIFY: verify = '' } = env;
  const isTls = url.protocol === 'https:' || verify !== '';
  const port = url.port === '' ? (isTls ? 2376 : 2375) : Number(url.port);
  const plain = { ...none, host: url.hostname, port, socketPath: undefined };
  return isTls ? { ...plain, protocol: 'https', ...(await certificates(env)) } : plain;
}

async function certificates({ DOCKER_CERT_PATH: folder = join(homedir(), usualFolder) }: Environment) {
  const read = async (name: string) => {
    try {
      return await readFile(join(folder, name));
    } catch (error) {
      throw actionFailed(`The file ${name} of DOCKER_CERT_PATH cannot be read.`, error);
    }
  };
  const [ca, cert, key] = await Promise.all([read('ca.pem'), read('cert.pem'), read('key.pem')]);
  return { ca, cert, key };
}
