import { invalidInput, validInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';

/** A national cloud of Azure. The base URLs have no trailing slash. */
export interface AzureEnvironment {
  /** The name that the tools of Azure know it by. */
  readonly name: string;
  /** `undefined` for Azure Stack, where each installation has its own. */
  readonly authorityHost: string | undefined;
  readonly resourceManager: string | undefined;
  /** The name that the providers of Terraform know it by. */
  readonly terraformName: string | undefined;
}

const environments: readonly AzureEnvironment[] = [
  {
    name: 'AzureCloud',
    authorityHost: 'https://login.microsoftonline.com',
    resourceManager: 'https://management.azure.com',
    terraformName: 'public',
  },
  {
    name: 'AzureUSGovernment',
    authorityHost: 'https://login.microsoftonline.us',
    resourceManager: 'https://management.usgovcloudapi.net',
    terraformName: 'usgovernment',
  },
  {
    name: 'AzureChinaCloud',
    authorityHost: 'https://login.chinacloudapi.cn',
    resourceManager: 'https://management.chinacloudapi.cn',
    terraformName: 'china',
  },
  {
    name: 'AzureGermanCloud',
    authorityHost: 'https://login.microsoftonline.de',
    resourceManager: 'https://management.microsoftazure.de',
    terraformName: undefined,
  },
  { name: 'AzureStack', authorityHost: undefined, resourceManager: undefined, terraformName: undefined },
];

/** Names have no case, as in the tools of Azure. */
export function parseAzureEnvironment(text: string): ParsedInput<AzureEnvironment> {
  const found = environments.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return validInput(found);
  const names = environments.map(({ name }) => name).join(', ');
  return invalidInput('azure_environment_invalid', `is ${quoteInput(text)}. Use one of ${names}.`);
}
