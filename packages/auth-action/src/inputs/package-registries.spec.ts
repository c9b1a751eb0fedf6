import { federation, readAllSettings, readRefusedInputs, type Inputs } from '../testing/read-inputs';

const read = (inputs: Inputs) => readAllSettings({ ...federation, ...inputs }).google?.packages;
const refused = (inputs: Inputs) => readRefusedInputs({ ...federation, ...inputs });

describe('registries of packages', () => {
  it('are read as gcloud prints them', () => {
    expect(
      read({
        npm_registries: 'https://europe-npm.pkg.dev/p/all/ @example=https://us-west1-npm.pkg.dev/example.com/p/r',
        python_registries:
          'https://europe-python.pkg.dev/p/r/simple/,extra=https://us-python.pkg.dev/p/r\nextra=https://us-python.pkg.dev/p/s/',
        maven_registries: 'a.b-c=artifactregistry://europe-maven.pkg.dev/p/r central=https://us-maven.pkg.dev/p/r/',
      }),
    ).toEqual({
      npm: [
        { name: '', url: 'https://europe-npm.pkg.dev/p/all' },
        { name: '@example', url: 'https://us-west1-npm.pkg.dev/example.com/p/r' },
      ],
      python: [
        { name: '', url: 'https://europe-python.pkg.dev/p/r' },
        { name: 'extra', url: 'https://us-python.pkg.dev/p/r' },
        { name: 'extra', url: 'https://us-python.pkg.dev/p/s' },
      ],
      maven: [
        { name: 'a.b-c', url: 'https://europe-maven.pkg.dev/p/r' },
        { name: 'central', url: 'https://us-maven.pkg.dev/p/r' },
      ],
    });
  });

  it.each([
    ['another host', 'npm_registries', 'https://registry.npmjs.org/p/r/'],
    ['a host that starts like one', 'npm_registries', 'https://europe-npm.pkg.dev.example.com/p/r/'],
    ['a user before another host', 'npm_registries', 'https://europe-npm.pkg.dev/p@example.com/r/'],
    ['a port', 'npm_registries', 'https://europe-npm.pkg.dev:8443/p/r/'],
    ['http', 'npm_registries', 'http://europe-npm.pkg.dev/p/r/'],
    ['another format', 'npm_registries', 'https://europe-python.pkg.dev/p/r/'],
    ['no repository', 'npm_registries', 'https://europe-npm.pkg.dev/p/'],
    ['a parent folder', 'npm_registries', 'https://europe-npm.pkg.dev/p/../q'],
    ['a scope without a mark', 'npm_registries', 'example=https://europe-npm.pkg.dev/p/r/'],
    ['a name of an index', 'python_registries', 'other=https://europe-python.pkg.dev/p/r/'],
    ['no id', 'maven_registries', 'https://europe-maven.pkg.dev/p/r'],
    ['an id that a comment cannot contain', 'maven_registries', 'a--b=https://europe-maven.pkg.dev/p/r'],
    ['a registry of an id twice', 'maven_registries', 'a=https://b-maven.pkg.dev/p/r a=https://c-maven.pkg.dev/p/r'],
    ['all packages twice', 'npm_registries', 'https://a-npm.pkg.dev/p/r https://b-npm.pkg.dev/p/r'],
  ])('are refused with %s', (_, input, text) => {
    expect(refused({ [input]: text })).toMatchObject({ reason: 'registry_invalid' });
  });

  it('are refused in another universe, whose hosts are unknown', () => {
    const error = refused({ universe: 'cloud.example', npm_registries: 'https://europe-npm.pkg.dev/p/r/' });

    expect(error.message).toContain('the universe cloud.example');
  });

  it('require an account of Google Cloud, also in a job that signs in to AWS', () => {
    const aws = { aws_role: 'arn:aws:iam::123456789012:role/deployer' };
    const error = readRefusedInputs({ ...aws, npm_registries: 'https://europe-npm.pkg.dev/p/r/' });

    expect(error.reason).toBe('mode_missing');
  });
});
