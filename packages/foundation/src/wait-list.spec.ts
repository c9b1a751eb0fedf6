import { createWaitList } from './wait-list';

const neverAborted = () => new AbortController().signal;

describe('createWaitList', () => {
  it('wakes present waiters, and not later ones', async () => {
    const list = createWaitList();
    const woken: string[] = [];
    const first = list.wait(neverAborted()).then(() => woken.push('first'));
    list.wakeAll();
    const later = new AbortController();
    const second = list.wait(later.signal).then(() => woken.push('second'));
    await first;
    later.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    expect(woken).toEqual(['first']);
  });

  it('rejects with the reason of a signal, aborted before or while waiting', async () => {
    const list = createWaitList();
    await expect(list.wait(AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    const controller = new AbortController();
    const waiting = list.wait(controller.signal);
    controller.abort(new Error('while'));
    list.wakeAll();
    await expect(waiting).rejects.toThrow('while');
  });
});
