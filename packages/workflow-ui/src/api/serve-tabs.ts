import { EventStream } from './event-stream';
import type { FromTab, ToTab } from './tab-messages';

/** Creates one stream for all tabs that the returned function connects. */
export function createTabService(): (port: MessagePort) => void {
  let stream: EventStream | undefined;
  // All tabs have the same address, because they have loaded the same file of the same server.
  return (port) => connectTab(port, (address) => (stream ??= new EventStream(address)));
}

function connectTab(port: MessagePort, streamAt: (address: string) => EventStream): void {
  const subscriptions = new Map<string, () => void>();
  const tell = (message: ToTab): void => port.postMessage(message);
  let stream: EventStream | undefined;
  let stopState = (): void => undefined;

  const leave = (): void => {
    stopState();
    stream = undefined;
    for (const unsubscribe of subscriptions.values()) unsubscribe();
    subscriptions.clear();
  };
  const attend = (address: string): EventStream => {
    const attended = streamAt(address);
    const tellState = (): void => tell({ type: 'state', state: attended.getState(), lastSign: attended.getLastSign() });
    stopState = attended.onStateChange(tellState);
    tellState();
    return attended;
  };
  const changeTopics = (attended: EventStream, topics: readonly string[]): void => {
    const wanted = new Set(topics);
    for (const [topic, unsubscribe] of subscriptions) {
      if (wanted.has(topic)) continue;
      unsubscribe();
      subscriptions.delete(topic);
    }
    for (const topic of wanted) {
      if (subscriptions.has(topic)) continue;
      subscriptions.set(
        topic,
        attended.subscribe(topic, (event) => tell({ type: 'event', event })),
      );
    }
  };
  port.addEventListener('message', ({ data }: MessageEvent<FromTab>) => {
    if (data.type === 'leave') leave();
    else if (data.type === 'network') stream?.changeNetwork(data.isOnline);
    else changeTopics((stream ??= attend(data.address)), data.topics);
  });
  // Some browsers report the port of a crashed tab.
  port.addEventListener('close', leave);
  port.start();
}
