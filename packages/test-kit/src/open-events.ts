export interface ReceivedEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

export interface OpenedEvents {
  /** Resolves with the next event. Rejects when there is none within ten seconds. */
  readonly next: () => Promise<ReceivedEvent>;
  /** Resolves with the next event, or with `undefined` when there is none in that time. */
  readonly nextWithin: (timeoutMs: number) => Promise<ReceivedEvent | undefined>;
  /** The next event that matches; those before it are passed over. */
  readonly until: (matches: (event: ReceivedEvent) => boolean) => Promise<ReceivedEvent>;
  /** Resolves once the server has ended the stream, or cut it off. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
}

/** A stream of server-sent events, read one at a time; heartbeats are left out. */
export async function openEvents(url: string, headers: Readonly<Record<string, string>>): Promise<OpenedEvents> {
  const response = await fetch(url, { headers });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`The stream was answered ${response.status}: ${await response.text()}`);
  }
  const received: ReceivedEvent[] = [];
  const waiting: ((event: ReceivedEvent) => void)[] = [];
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const receive = async (): Promise<void> => {
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const event of blocks.flatMap(parseBlock)) {
        const take = waiting.shift();
        if (take === undefined) received.push(event);
        else take(event);
      }
    }
  };
  const ended = receive().catch(() => undefined);
  const nextWithin = (timeoutMs: number): Promise<ReceivedEvent | undefined> =>
    new Promise((resolve) => {
      const first = received.shift();
      if (first !== undefined) {
        resolve(first);
        return;
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(take), 1);
        resolve(undefined);
      }, timeoutMs);
      const take = (event: ReceivedEvent): void => {
        clearTimeout(timer);
        resolve(event);
      };
      waiting.push(take);
    });
  const next = async (): Promise<ReceivedEvent> => {
    const event = await nextWithin(10_000);
    if (event === undefined) throw new Error('No event came.');
    return event;
  };
  return {
    nextWithin,
    next,
    ended,
    until: async (matches) => {
      let event = await next();
      while (!matches(event)) event = await next();
      return event;
    },
    close: async () => {
      await reader.cancel();
      await ended;
    },
  };
}

function parseBlock(block: string): ReceivedEvent[] {
  const fields = new Map(block.split('\n').map((line) => [line.split(': ')[0], line.split(': ').slice(1).join(': ')]));
  const data = fields.get('data');
  if (data === undefined) return [];
  return [{ event: fields.get('event') ?? 'message', id: fields.get('id'), data: JSON.parse(data) as unknown }];
}
