import { AppError } from '@weir/foundation';
import { z } from 'zod';

const StepSession = z.object({
  id: z.string(),
  /**
   * Identifies a session together with the id, because ids start again after a restart of the proxy. `null`: not at the
   * proxy.
   */
  created_at: z.string().nullable(),
});
export type StepSession = z.output<typeof StepSession>;

const TrainingStep = z.object({ version: z.int().min(0), sessions: z.array(StepSession) });

/** Which sessions went into which version of the weights; the file of a training log in every language. */
export const TrainingSteps = z.object({ steps: z.array(TrainingStep) });
export type TrainingSteps = z.output<typeof TrainingSteps>;

export const sameSession = (one: StepSession, other: StepSession): boolean =>
  one.id === other.id && one.created_at === other.created_at;

/** Replaces this step and later ones, which a killed trainer began and whose weights it never saved. */
export function withStep({ steps }: TrainingSteps, version: number, sessions: readonly StepSession[]): TrainingSteps {
  const earlier = steps.filter((step) => step.version < version);
  for (const session of sessions) {
    const trained = earlier.find((step) => step.sessions.some((other) => sameSession(session, other)));
    if (trained === undefined || session.created_at === null) continue;
    throw new AppError('conflict', `Session "${session.id}" was trained into version ${trained.version} already.`, {
      reason: 'already_trained',
    });
  }
  return { steps: [...earlier, { version, sessions: [...sessions] }] };
}

/** The sessions that the weights of this version hold. */
export function sessionsUpTo({ steps }: TrainingSteps, version: number): readonly StepSession[] {
  return steps.filter((step) => step.version <= version).flatMap(({ sessions }) => sessions);
}

/** The sessions of steps whose weights were never saved. */
export function sessionsAfter({ steps }: TrainingSteps, version: number): readonly StepSession[] {
  return steps.filter((step) => step.version > version).flatMap(({ sessions }) => sessions);
}

export function withoutStepsUpTo({ steps }: TrainingSteps, version: number): TrainingSteps {
  return { steps: steps.filter((step) => step.version > version) };
}
