/** Links results to calls where the client sends no ids, which this protocol allows. */
export interface CallIds {
  /** The calls that follow are those of another answer. */
  startAnswer(): void;
  /** The id of a call: the client's, otherwise one by its position in the conversation. */
  call(name: string, id: string | undefined): string;
  /** The id of the call that a result answers: without one, the first call of that name that has no result yet. */
  result(name: string, id: string | undefined): string | undefined;
}

interface Queue {
  readonly ids: string[];
  next: number;
}

/** Takes time linear in the calls and results. */
export function createCallIds(): CallIds {
  let calls = 0;
  let open = new Map<string, Queue>();
  let answered = new Set<string>();
  return {
    startAnswer: () => {
      open = new Map();
      answered = new Set();
    },
    call: (name, given) => {
      calls += 1;
      const id = given ?? `call_without_id_${calls}`;
      const queue = open.get(name);
      if (queue === undefined) open.set(name, { ids: [id], next: 0 });
      else queue.ids.push(id);
      return id;
    },
    result: (name, given) => {
      const id = given ?? firstOpen(open.get(name), answered);
      if (id !== undefined) answered.add(id);
      return id;
    },
  };
}

function firstOpen(queue: Queue | undefined, answered: ReadonlySet<string>): string | undefined {
  if (queue === undefined) return undefined;
  while (answered.has(queue.ids[queue.next] ?? '')) queue.next += 1;
  return queue.ids[queue.next];
}
