// A step of a user: names the caller by default credentials, with the client of AWS.
import process from 'node:process';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

try {
  const { Arn } = await new STSClient({}).send(new GetCallerIdentityCommand());
  console.log('caller:', Arn);
} catch ({ message }) {
  console.error(message);
  process.exitCode = 1;
}
