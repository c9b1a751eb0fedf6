import { createWorkflowClient, isStateOf, readEvents, type Schemas } from '.';

const weir = createWorkflowClient({ baseUrl: '/api/v1' });

export async function answersAreTyped(): Promise<void> {
  const { data } = await weir.GET('/dags');
  data satisfies Schemas['ListDAGsResponse'];
  // @ts-expect-error -- there is no such field
  data.dagz satisfies unknown;
  const { data: text } = await weir.GET('/metrics', { parseAs: 'text' });
  text satisfies string;
  const { data: file } = await weir.GET('/dag-runs/{name}/{dagRunId}/log/download', {
    params: { path: { name: 'a', dagRunId: 'b' } },
    parseAs: 'blob',
  });
  file satisfies Blob;
}

export async function requestsAreTyped(): Promise<void> {
  await weir.GET('/dags', { params: { query: { labels: undefined } } });
  // @ts-expect-error -- there is no such parameter
  await weir.GET('/dags', { params: { query: { labelz: 'a' } } });
  // @ts-expect-error -- the name is missing
  await weir.GET('/dags/{fileName}');
  // @ts-expect-error -- the body is missing
  await weir.POST('/dags');
  // @ts-expect-error -- there is no such operation
  await weir.PUT('/dags');
}

export async function statesAreTyped(): Promise<void> {
  for await (const event of readEvents(weir, { topics: ['dagrun:a/b'] })) {
    if (isStateOf(event, 'dagrun')) event.payload.dagRunDetails satisfies Schemas['DAGRunDetails'];
  }
}
