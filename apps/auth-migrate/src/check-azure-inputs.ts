import { literalOf, type AuthStep, type Entry } from './auth-steps';
import { azureInputs } from './azure-interface';
import { removeEntry, replaceEntry } from './edits';
import { checkName, toRemark, type Remark } from './remark';

/** Finds the changes in the inputs of a step that uses the action of Azure. */
export function checkAzureInputs(text: string, step: AuthStep): readonly Remark[] {
  return step.inputs.flatMap((input) => {
    const here = azureInputs.find(({ name }) => name.toLowerCase() === input.name.toLowerCase())?.here;
    return here?.is === 'read' ? readValue(text, step, input) : checkName(text, { step, input, here });
  });
}

function readValue(text: string, step: AuthStep, input: Entry): readonly Remark[] {
  const remove = (why: string) => checkName(text, { step, input, here: { is: 'unneeded', why } });
  const rename = (to: string) => checkName(text, { step, input, here: { is: 'renamed', to } });
  const hasIds = ['client-id', 'tenant-id', 'subscription-id'].some((name) => find(step, name) !== undefined);
  const type = find(step, 'auth-type');
  const isIdentity = type !== undefined && literalOf(type)?.toUpperCase() === 'IDENTITY';
  switch (input.name.toLowerCase()) {
    case 'creds':
      return hasIds || isIdentity ? remove('it is ignored beside the other inputs') : rename('azure_credentials_json');
    case 'audience':
      return isIdentity || (find(step, 'creds') !== undefined && !hasIds)
        ? remove('it applies only to the OIDC token')
        : rename('azure_audience');
    default:
      return [replaceType(text, input)];
  }
}

function replaceType(text: string, input: Entry): Remark {
  const offset = input.key.range?.[0] ?? 0;
  const type = literalOf(input)?.toUpperCase();
  if (type === 'SERVICE_PRINCIPAL') {
    const message = 'remove `auth-type`: the OIDC token and the credentials are of a service principal';
    return toRemark(removeEntry(text, input), { offset, code: 'input_unneeded', message });
  }
  const message = 'replace `auth-type` by `azure_managed_identity`, which is true for IDENTITY';
  const edit = type === 'IDENTITY' ? replaceEntry(text, input, 'azure_managed_identity: true') : undefined;
  return toRemark(edit, { offset, code: edit === undefined ? 'input_by_hand' : 'input_replaced', message });
}

function find(step: AuthStep, wanted: string): Entry | undefined {
  return step.inputs.find(({ name }) => name.toLowerCase() === wanted);
}
