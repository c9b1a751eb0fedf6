import type { SecondFactor as WireSecondFactor } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import { AppError } from '@weir/foundation';
import type { RandomSource } from '../../adapters/random-source';
import type { Sealer } from '../../encryption';
import { tooManyAttempts } from '../../access/auth-errors';
import {
  authenticatorAddress,
  digestRecoveryCode,
  newRecoveryCodes,
  newSharedSecret,
  noteWrongCode,
  secondFactorContext,
  secondsUntilNextCode,
  useCode,
  type SecondFactor,
} from './second-factor';
import type { SecondFactorRepository } from './second-factor-repository';

export interface SecondFactorPorts {
  readonly secondFactors: SecondFactorRepository;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'bytes'>;
}

export type SecondFactorService = ReturnType<typeof createSecondFactorService>;

/** Limits the concurrent requests of one user that may change the factor between the read and the write of another request. */
const maxConcurrentChanges = 20;

/** Serves the codes that people sign in with, beside the password. */
export function createSecondFactorService({ secondFactors, sealer, clock, random }: SecondFactorPorts) {
  const bytes = (size: number): Uint8Array => random.bytes(size);

  const spend = createCodeSpender({ secondFactors, sealer, clock });

  return {
    async get(userId: string): Promise<WireSecondFactor> {
      const { confirmedAt, recoveryDigests } = (await secondFactors.find(userId)) ?? {};
      if (confirmedAt === undefined) return { isEnabled: false, recoveryCodesLeft: 0 };
      return {
        isEnabled: true,
        enabledAt: confirmedAt.toISOString(),
        recoveryCodesLeft: recoveryDigests?.length ?? 0,
      };
    },

    /** Creates a new secret, which replaces one that was not confirmed. Rejects with `second_factor_enabled`. */
    async begin({ id: userId, username }: { readonly id: string; readonly username: string }) {
      const secret = newSharedSecret(bytes);
      const sealed = await sealer.seal(secret, secondFactorContext(userId));
      const present = await secondFactors.find(userId);
      if (present?.confirmedAt !== undefined) throw secondFactorEnabled();
      const isStored =
        present === undefined
          ? await secondFactors.insert(newFactor(userId, sealed, clock.now()))
          : await secondFactors.replace({ ...present, sealed });
      if (!isStored) throw secondFactorEnabled();
      return { secret, address: authenticatorAddress(secret, username) };
    },

    /** Enables the factor that was begun, and returns the recovery codes. */
    async confirm(userId: string, code: string): Promise<readonly string[]> {
      const present = await secondFactors.find(userId);
      if (present === undefined) throw secondFactorNotBegun();
      if (present.confirmedAt !== undefined) throw secondFactorEnabled();
      const recoveryCodes = newRecoveryCodes(bytes);
      const recoveryDigests = recoveryCodes.map((one) => digestRecoveryCode(userId, one));
      await spend(userId, code, (used) => {
        if (used.confirmedAt !== undefined) throw secondFactorEnabled();
        return { ...used, confirmedAt: clock.now(), recoveryDigests };
      });
      return recoveryCodes;
    },

    /** Checks the code of a person whose password is right. Rejects with `code_required`, `code_wrong` or `too_many_attempts`. */
    async check(userId: string, code: string | undefined): Promise<void> {
      const factor = await secondFactors.find(userId);
      if (factor?.confirmedAt === undefined) return;
      if (code === undefined) throw codeRequired();
      await spend(userId, code, (used) => used);
    },

    /** Removes the factor for a person who has one of its codes. */
    async disable(userId: string, code: string): Promise<void> {
      if ((await secondFactors.find(userId))?.confirmedAt === undefined) throw secondFactorNotFound();
      await spend(userId, code, (used) => used);
      await secondFactors.remove(userId);
    },

    /** Rejects with `second_factor_not_found`. */
    async remove(userId: string): Promise<void> {
      if ((await secondFactors.find(userId))?.confirmedAt === undefined) throw secondFactorNotFound();
      await secondFactors.remove(userId);
    },
  };
}

/** Uses one code. Rejects with `code_wrong`, and with `too_many_attempts` after 10 wrong ones in 15 minutes. */
function createCodeSpender({ secondFactors, sealer, clock }: Omit<SecondFactorPorts, 'random'>) {
  return async (userId: string, code: string, change: (used: SecondFactor) => SecondFactor): Promise<void> => {
    for (let left = maxConcurrentChanges; left > 0; left -= 1) {
      const factor = await secondFactors.find(userId);
      if (factor === undefined) throw secondFactorNotFound();
      const now = clock.now();
      const seconds = secondsUntilNextCode(factor, now);
      if (seconds > 0) throw tooManyAttempts(seconds);
      const used = useCode(factor, await sealer.open(factor.sealed, secondFactorContext(userId)), code, now);
      // The use is stored before the answer: one of several requests with the same code wins, and no burst escapes the count.
      const isStored = await secondFactors.replace(used === undefined ? noteWrongCode(factor, now) : change(used));
      if (!isStored) continue;
      if (used === undefined) throw codeWrong();
      return;
    }
    throw tooManyAttempts(1);
  };
}

function newFactor(userId: string, sealed: SecondFactor['sealed'], createdAt: Date): SecondFactor {
  return {
    userId,
    sealed,
    createdAt,
    confirmedAt: undefined,
    lastStep: 0,
    recoveryDigests: [],
    wrongCodes: 0,
    wrongSince: undefined,
    revision: 0,
  };
}

function codeRequired(): AppError {
  return new AppError('unauthenticated', 'The sign-in needs a code of the authenticator.', { reason: 'code_required' });
}

function codeWrong(): AppError {
  return new AppError('unauthenticated', 'The code is wrong, or was used before.', { reason: 'code_wrong' });
}

function secondFactorEnabled(): AppError {
  return new AppError('conflict', 'The user has a second factor.', { reason: 'second_factor_enabled' });
}

function secondFactorNotBegun(): AppError {
  return new AppError('conflict', 'No set-up of a second factor was begun.', { reason: 'second_factor_not_begun' });
}

function secondFactorNotFound(): AppError {
  return new AppError('not_found', 'The user has no second factor.', { reason: 'second_factor_not_found' });
}
