// A step of a user: requests a token by default credentials, with the client of Azure.
import process from 'node:process';
import { DefaultAzureCredential } from '@azure/identity';

try {
  const { expiresOnTimestamp } = await new DefaultAzureCredential().getToken('https://vault.azure.net/.default');
  console.log('token until:', new Date(expiresOnTimestamp).getUTCFullYear());
} catch ({ message }) {
  console.error(message);
  process.exitCode = 1;
}
