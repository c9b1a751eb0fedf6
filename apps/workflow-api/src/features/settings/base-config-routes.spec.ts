import { aSpec } from '../../testing/a-spec';
import { badRequest, roleMissing } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const address = '/settings/base-config';
const put = (spec: string, ifMatch?: string, as = workflow.asAdmin) =>
  workflow.server.api.send(`PUT ${address}`, {
    as,
    body: { spec },
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
  });

describe('base configuration', () => {
  it('is empty before it is stored, and then applies to DAGs', async () => {
    expect((await workflow.get(address)).body).toEqual({ spec: '', errors: [], findings: [] });
    await expect(put('env:\n  - REGION: eu\n')).resolves.toMatchObject({ status: 200, body: { errors: [] } });
    await workflow.server.addDag('nightly', aSpec());

    await expect(workflow.get(address)).resolves.toMatchObject({ body: { spec: 'env:\n  - REGION: eu\n' } });
    await expect(workflow.get('/dags/nightly')).resolves.toMatchObject({ body: { dag: { env: ['REGION=eu'] } } });
  });

  it('returns 400 for a configuration with errors, and keeps the file', async () => {
    await put('env:\n  - REGION: eu\n');

    await expect(put('steps: []\nstepz: 1\n')).resolves.toMatchObject(badRequest('spec_invalid'));
    await expect(workflow.get(address)).resolves.toMatchObject({ body: { spec: 'env:\n  - REGION: eu\n' } });
  });

  it('returns 412 for an earlier revision', async () => {
    const ifMatch = (await workflow.get(address)).headers.get('etag') ?? '';

    await expect(put('env:\n  - A: b\n', ifMatch)).resolves.toMatchObject({ status: 200 });
    await expect(put('env:\n  - A: c\n', ifMatch)).resolves.toMatchObject({
      status: 412,
      body: { reason: 'revision_changed' },
    });
  });

  it('returns 403 to an operator', async () => {
    const operator = await workflow.server.createKey('operator');

    await expect(workflow.get(address, operator)).resolves.toMatchObject(roleMissing);
    await expect(put('', undefined, operator)).resolves.toMatchObject(roleMissing);
  });
});
