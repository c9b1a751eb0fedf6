import { copyFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Secret, type Resource } from '@weir/service-kit';
import { createRecordingLogger, startPostgres, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { createDatabase } from '@weir/workflow-db';
import { openStore } from './store';

const migrationsFolder = path.resolve(__dirname, '../../../../packages/workflow-db/prisma/migrations');

let folder: TemporaryFolder;
const home = () => folder.file('home');
const file = (name: string) => folder.file('home', name);

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Opens the database as a server at its start does, and closes it as at its end. */
async function startAndStop(url = `file:${file('weir.db')}`): Promise<void> {
  const resources: Resource[] = [];
  const config = {
    home: home(),
    database: { url: new Secret(url), autoMigrate: true, sqliteSynchronous: 'normal' as const },
  };
  try {
    await openStore({ config, migrationsFolder, logger: createRecordingLogger(), isServer: true }, (resource) => {
      resources.unshift(resource);
      return resource;
    });
  } finally {
    for (const resource of resources) await resource.stop();
  }
}

async function change(url: string, ...statements: readonly string[]): Promise<void> {
  const { db, close } = await createDatabase({ url });
  for (const statement of statements) await db.$executeRawUnsafe(statement);
  await close();
}

const lost = {
  code: 'unavailable',
  reason: 'database_lost',
  message: expect.stringMatching(/Restore it from a backup.*To begin anew .* remove .*database\.json/) as string,
};

describe('the database of an installation', () => {
  it('is opened repeatedly', async () => {
    await startAndStop();
    await expect(startAndStop()).resolves.toBeUndefined();
  });

  it('is recorded by its location and its instance', async () => {
    await startAndStop();
    expect(JSON.parse(await readFile(file('database.json'), 'utf8'))).toEqual({
      location: 'weir.db',
      instance: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  it.each([
    ['removed', () => rm(file('weir.db'))],
    ['emptied', () => truncate(file('weir.db'))],
    [
      'overwritten by an empty database',
      async () => {
        await rm(file('weir.db'));
        await change(`file:${file('weir.db')}`, 'CREATE TABLE "Other" ("id" TEXT)');
      },
    ],
  ])('is refused when its file was %s, each time, and opens once it is restored', async (_case, lose) => {
    await startAndStop();
    await copyFile(file('weir.db'), folder.file('backup.db'));
    await lose();

    await expect(startAndStop()).rejects.toMatchObject(lost);
    await expect(startAndStop()).rejects.toMatchObject(lost);
    await copyFile(folder.file('backup.db'), file('weir.db'));
    await expect(startAndStop()).resolves.toBeUndefined();
  });

  it('is refused when it belongs to another installation', async () => {
    await startAndStop();
    await startAndStop(`file:${folder.file('other.db')}`);
    await startAndStop();
    await copyFile(folder.file('other.db'), file('weir.db'));

    await expect(startAndStop()).rejects.toMatchObject(lost);
  });

  it('may be another one where the configuration names another location', async () => {
    await startAndStop();
    await expect(startAndStop(`file:${file('new.db')}`)).resolves.toBeUndefined();
  });

  it('is created again once the home folder has no record of it', async () => {
    await startAndStop();
    await rm(file('weir.db'));
    await rm(file('database.json'));

    await expect(startAndStop()).resolves.toBeUndefined();
  });

  it('is not opened when the record in the home folder cannot be read', async () => {
    await startAndStop();
    await writeFile(file('database.json'), '{');

    await expect(startAndStop()).rejects.toMatchObject({ reason: 'home_unusable' });
  });

  it('is refused on PostgreSQL too when it was emptied, and recorded without its password', async () => {
    const postgres = await startPostgres();
    const { url } = await postgres.createDatabase();
    await startAndStop(url);
    expect(await readFile(file('database.json'), 'utf8')).not.toContain(new URL(url).password);
    await change(url, 'DROP SCHEMA public CASCADE', 'CREATE SCHEMA public');

    await expect(startAndStop(url)).rejects.toMatchObject(lost);
    await postgres.stop();
  });
});
