import { createManualClock, createRecordingLogger } from '@weir/test-kit';
import { systemRandom } from '../../adapters/random-source';
import { createLocalKey, createSealer, type Sealed, type Sealer } from '../../encryption';
import { createTestStores, databaseKinds, type TestStoreSource } from '../../testing/test-stores';
import { createPrismaAgentStores } from '../agent-settings';
import { loginContext, modelKeyContext } from '../agent-settings/agent-stores';
import { createPrismaGitSyncStore } from '../git-sync';
import { createPrismaSecondFactorRepository } from '../second-factor';
import { secondFactorContext } from '../second-factor/second-factor';
import { createPrismaNotificationRepository } from '../notifications';
import { targetSealContext } from '../notifications/subscription';
import { createPrismaProfileRepository } from '../profiles';
import { sealContext as profileSealContext } from '../profiles/profile';
import { createPrismaWebhookRepository } from '../webhooks';
import { webhookSealContext } from '../webhooks/webhook-secret';
import { createPrismaRemoteNodeRepository } from '../remote-nodes';
import { nodeSealContext } from '../remote-nodes/remote-node';
import { createPrismaWorkspaceRepository } from '../workspaces';
import { createSecrets } from './create-secrets';
import { createPrismaSecretRepository } from './secret-repository';
import { sealContext } from './stored-secret';

const [oldKey, newKey, lostKey] = [1, 2, 3].map((fill) => createLocalKey(Buffer.alloc(32, fill)));
const now = new Date('2026-11-24T00:00:00Z');
const sealerOf = (...keys: (typeof oldKey)[]): Sealer => {
  const [first, ...rest] = keys.flatMap((key) => key ?? []);
  if (first === undefined) throw new Error('There is no key.');
  return createSealer(() => Promise.resolve([first, ...rest]));
};

describe.each(databaseKinds)('a rotation of the key on %s', (kind) => {
  let source: TestStoreSource;
  beforeAll(async () => {
    source = await createTestStores(kind);
  });
  afterAll(() => source.remove());

  const open = async () => {
    const database = await source.openDatabase();
    const ports = {
      secrets: createPrismaSecretRepository(database),
      webhooks: createPrismaWebhookRepository(database),
      notifications: createPrismaNotificationRepository(database),
      gitSync: createPrismaGitSyncStore(database),
      secondFactors: createPrismaSecondFactorRepository(database),
      profiles: createPrismaProfileRepository(database),
      agentStores: createPrismaAgentStores(database),
      workspaces: createPrismaWorkspaceRepository(database),
      remoteNodes: createPrismaRemoteNodeRepository(database),
      clock: createManualClock(now),
      random: systemRandom,
      logger: createRecordingLogger(),
    };
    /** Stores one of everything that is encrypted, under the key of this sealer. */
    const fill = async (sealer: Sealer): Promise<void> => {
      const times = { createdAt: now, updatedAt: now };
      const version = { secretId: 's', number: 1, createdAt: now, createdBy: 'ada' };
      await db.storedSecret.create({
        data: { id: 's', workspace: '', ref: 's', description: '', currentVersion: 1, isDisabled: false, ...times },
      });
      await db.storedSecretVersion.create({
        data: { ...version, ...(await sealer.seal('secret', sealContext(version))) },
      });
      const ofWebhook = await sealer.seal('webhook', webhookSealContext('w'));
      await db.webhook.create({
        data: {
          fileName: 'd',
          id: 'w',
          tokenPrefix: 'p',
          tokenDigest: 'd',
          isEnabled: true,
          createdBy: 'a',
          ...times,
          secretKeyId: ofWebhook.keyId,
          secretText: ofWebhook.text,
        },
      });
      await db.eventSubscription.create({
        data: {
          id: 'e',
          name: 'e',
          kind: 'slack',
          events: [],
          host: 'h',
          isEnabled: true,
          createdBy: 'a',
          ...times,
          ...(await sealer.seal('subscription', targetSealContext('e'))),
        },
      });
      const user = { id: 'u', username: 'u', usernameKey: 'u', passwordHash: '', role: 'viewer', workspaceAccess: {} };
      await db.user.create({ data: { ...user, ...times } });
      await db.secondFactor.create({
        data: {
          userId: 'u',
          lastStep: 0,
          recoveryDigests: [],
          wrongCodes: 0,
          revision: 0,
          createdAt: now,
          ...(await sealer.seal('second factor', secondFactorContext('u'))),
        },
      });
      const ofModel = await sealer.seal('model', modelKeyContext('m'));
      await db.agentModel.create({
        data: {
          id: 'm',
          name: 'm',
          provider: 'local',
          model: 'm',
          facts: {},
          description: '',
          ...times,
          keyId: ofModel.keyId,
          keyText: ofModel.text,
        },
      });
      const ofNode = { ...times, createdBy: 'a', ...(await sealer.seal('node', nodeSealContext('n'))) };
      await db.remoteNode.create({
        data: {
          id: 'n',
          name: 'n',
          description: '',
          apiBaseUrl: 'https://n/api/v1',
          authType: 'token',
          skipTlsVerify: false,
          ...ofNode,
        },
      });
      const profile = { id: 'f', name: 'f', description: '', isDisabled: false, isProtected: false, ...times };
      await db.runtimeProfile.create({ data: profile });
      const ofEntry = await sealer.seal('profile', profileSealContext('f', 'TOKEN'));
      await db.runtimeProfileEntry.create({ data: { profileId: 'f', key: 'TOKEN', ...times, ...ofEntry } });
      const ofLogin = await sealer.seal('login', loginContext('p'));
      await db.agentLogin.create({ data: { providerId: 'p', ...ofLogin, canRefresh: false, connectedAt: now } });
    };
    const { db } = database;
    /** Everything that is encrypted, as these keys open it. */
    const read = async (sealer: Sealer): Promise<readonly string[]> => {
      const [version] = await ports.secrets.listVersions(undefined, 9);
      const { models, logins } = ports.agentStores;
      const rows = await Promise.all(
        [
          ports.webhooks,
          ports.notifications,
          ports.remoteNodes,
          ports.secondFactors,
          ports.profiles,
          models,
          logins,
        ].map((one) => one.listSealed()),
      );
      const sealed: readonly (readonly [Sealed, string])[] = [
        ...(version === undefined ? [] : [[version, sealContext(version)] as const]),
        ...rows.flat().map((row) => [row.sealed, row.context] as const),
      ];
      return Promise.all(sealed.map(([text, context]) => sealer.open(text, context)));
    };
    const reseal = (sealer: Sealer) => createSecrets({ ...ports, sealer }).reseal();
    return { fill, read, reseal, logger: ports.logger };
  };
  const everything = ['secret', 'webhook', 'subscription', 'node', 'second factor', 'profile', 'model', 'login'];

  it('encrypts everything with the new key, so that the old one is not needed', async () => {
    const { fill, read, reseal } = await open();
    await fill(sealerOf(oldKey));
    await reseal(sealerOf(newKey, oldKey));

    await expect(read(sealerOf(newKey))).resolves.toEqual(everything);
    await expect(read(sealerOf(oldKey))).rejects.toMatchObject({ reason: 'encryption_key_unknown' });
  });

  it('leaves texts that it cannot open, and names their key', async () => {
    const { fill, read, reseal, logger } = await open();
    await fill(sealerOf(lostKey));
    await reseal(sealerOf(newKey, oldKey));

    await expect(read(sealerOf(lostKey))).resolves.toEqual(everything);
    expect(JSON.stringify(logger)).toContain(lostKey?.id);
  });
});
