import { sessionsAfter, sessionsUpTo, withoutStepsUpTo, withStep } from './training-steps';

const session = (id: string, created_at: string | null = '2026-01-01T00:00:00.000Z') => ({ id, created_at });
const none = { steps: [] };
const two = withStep(withStep(none, 1, [session('a')]), 2, [session('b'), session('c')]);

describe('the steps of a training', () => {
  it('distinguish the sessions of saved weights from the others', () => {
    expect(sessionsUpTo(two, 1)).toEqual([session('a')]);
    expect(sessionsAfter(two, 1)).toEqual([session('b'), session('c')]);
  });

  it('are replaced if weights were never saved', () => {
    expect(withStep(two, 1, [session('b')])).toEqual({ steps: [{ version: 1, sessions: [session('b')] }] });
  });

  it('include a session in one version only', () => {
    expect(() => withStep(two, 3, [session('c')])).toThrow(
      expect.objectContaining({ reason: 'already_trained' }) as Error,
    );
  });

  it('include another session with the id of an earlier one', () => {
    const later = session('c', '2026-01-02T00:00:00.000Z');
    expect(sessionsAfter(withStep(two, 3, [later]), 2)).toEqual([later]);
  });

  it('are dropped once acknowledged', () => {
    expect(withoutStepsUpTo(two, 1)).toEqual({ steps: [{ version: 2, sessions: [session('b'), session('c')] }] });
  });
});
